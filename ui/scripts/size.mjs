// Prints the gzip size of what the window loads before the first tab, and fails above the budget.
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const { benchmarks } = JSON.parse(readFileSync(new URL('../../tests/bench/budgets.json', import.meta.url), 'utf8'));
const [amount, unit] = benchmarks['size/js_before_first_tab'].budget.split(' ');
if (unit !== 'KB') throw new Error(`budgets.json, size/js_before_first_tab: the unit is ${unit}, not KB`);
const BUDGET = Number(amount) * 1000;
const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
// One JSON object of bytes by benchmark id, for `cargo xtask bench`.
const asJson = process.argv.includes('--json');
const print = (line) => asJson || process.stdout.write(line);
const gzip = (file) => gzipSync(readFileSync(new URL(file, dist))).length;
const kib = (bytes) => `${(bytes / 1024).toFixed(1).padStart(7)} KiB`;

const first = new Set();
const visit = (key) => {
  const chunk = manifest[key];
  if (!chunk || first.has(chunk.file)) return;
  first.add(chunk.file);
  for (const next of chunk.imports ?? []) visit(next);
};
for (const [key, chunk] of Object.entries(manifest)) if (chunk.isEntry) visit(key);

let total = 0;
for (const file of first) {
  const size = gzip(file);
  total += size;
  print(`${kib(size)}  ${file}\n`);
}
let lazy = 0;
for (const file of readdirSync(new URL('assets/', dist))) {
  if (!file.endsWith('.js') || first.has(`assets/${file}`)) continue;
  const size = gzip(`assets/${file}`);
  lazy += size;
  if (size > 4096) print(`${kib(size)}  assets/${file} (on demand)\n`);
}
let styles = 0;
for (const chunk of Object.values(manifest)) {
  if (!first.has(chunk.file)) continue;
  for (const file of chunk.css ?? []) styles += gzip(file);
}
if (asJson) process.stdout.write(JSON.stringify({ 'size/js_before_first_tab': total, 'size/js_on_demand': lazy, 'size/css_before_first_tab': styles }));
print(`${kib(total)}  before the first tab (budget ${kib(BUDGET).trim()}), ${kib(lazy).trim()} on demand\n`);
if (total > BUDGET) {
  process.stderr.write('above the budget: load something on demand instead\n');
  process.exitCode = 1;
}
