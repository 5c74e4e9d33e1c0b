import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Results } from '../harness/results.mjs';

const [SPEC, OTHER] = ['specs/results.test.mjs', 'specs/retries.test.mjs'];

test('a file of tests is up to date with the same inputs only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inklings-results-'));
  const file = join(folder, 'passed/window.json');
  const passed = (/** @type {string | undefined} */ inputs, spec = SPEC) => new Results(file, inputs).passed(spec);
  try {
    assert.equal(passed('programs'), undefined);
    new Results(file, 'programs').add(SPEC, 3, 12);
    assert.equal(passed('programs'), 3);
    assert.equal(new Results(file, 'programs').seconds(SPEC), 12);
    assert.equal(passed('other programs'), undefined);
    assert.equal(passed('programs', OTHER), undefined);
    assert.equal(passed(undefined), undefined, 'without inputs everything runs');

    new Results(file, undefined).add(OTHER, 1, 2);
    assert.equal(passed(undefined, OTHER), undefined);
    assert.equal(passed('programs'), 3, 'results of other files stay');

    await writeFile(file, JSON.stringify({ [SPEC]: { seconds: 12, passed: 3, inputs: 'of another text of the file' } }));
    assert.equal(passed('programs'), undefined);
    await writeFile(file, '{');
    assert.equal(passed('programs'), undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
