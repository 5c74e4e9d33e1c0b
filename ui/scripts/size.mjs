// Prints the gzip size of what the window loads before the first tab, and fails above the budget.
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET = 200 * 1024;
const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
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
  process.stdout.write(`${kib(size)}  ${file}\n`);
}
let lazy = 0;
for (const file of readdirSync(new URL('assets/', dist))) {
  if (!file.endsWith('.js') || first.has(`assets/${file}`)) continue;
  const size = gzip(`assets/${file}`);
  lazy += size;
  if (size > 4096) process.stdout.write(`${kib(size)}  assets/${file} (on demand)\n`);
}
process.stdout.write(`${kib(total)}  before the first tab (budget ${kib(BUDGET).trim()}), ${kib(lazy).trim()} on demand\n`);
if (total > BUDGET) {
  process.stderr.write('above the budget: load something on demand instead\n');
  process.exitCode = 1;
}
