// Generates types.ts from schema.json. With --check it only compares, and fails if the file is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { typescript } from './typescript.mjs';

const generated = new URL('../../ui/src/lib/api/generated/', import.meta.url);
const target = new URL('types.ts', generated);

const expected = await typescript(JSON.parse(await readFile(new URL('schema.json', generated), 'utf8')));
const current = await readFile(target, 'utf8').catch(() => '');
if (current === expected) {
  console.log('ui/src/lib/api/generated/types.ts is up to date');
} else if (process.argv.includes('--check')) {
  console.error('ui/src/lib/api/generated/types.ts is out of date: run `cargo xtask generate`');
  console.error(firstDifference(current, expected));
  process.exitCode = 1;
} else {
  await writeFile(target, expected);
  console.log('wrote ui/src/lib/api/generated/types.ts');
}

/** @param {string} current @param {string} expected */
function firstDifference(current, expected) {
  const [left, right] = [current.split('\n'), expected.split('\n')];
  const at = right.findIndex((line, index) => line !== left[index]);
  return at < 0 ? 'the file is too long' : `line ${at + 1}\n- ${left[at] ?? ''}\n+ ${right[at]}`;
}
