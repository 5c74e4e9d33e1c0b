// schema.json -> types.ts. With --check it writes nothing and fails when the file is not what the schema gives.
import { readFile, writeFile } from 'node:fs/promises';
import { typescript } from './typescript.mjs';

const generated = new URL('../../ui/src/lib/api/generated/', import.meta.url);
const target = new URL('types.ts', generated);

const wanted = await typescript(JSON.parse(await readFile(new URL('schema.json', generated), 'utf8')));
const held = await readFile(target, 'utf8').catch(() => '');
if (held === wanted) {
  console.log('ui/src/lib/api/generated/types.ts is up to date');
} else if (process.argv.includes('--check')) {
  console.error('ui/src/lib/api/generated/types.ts is not what schema.json gives: run `cargo xtask generate`');
  console.error(firstDifference(held, wanted));
  process.exitCode = 1;
} else {
  await writeFile(target, wanted);
  console.log('wrote ui/src/lib/api/generated/types.ts');
}

/** @param {string} held @param {string} wanted */
function firstDifference(held, wanted) {
  const [left, right] = [held.split('\n'), wanted.split('\n')];
  const at = right.findIndex((line, index) => line !== left[index]);
  return at < 0 ? 'the file goes on after its end' : `line ${at + 1}\n- ${left[at] ?? ''}\n+ ${right[at]}`;
}
