import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { test } from 'node:test';
import { MOST_RETRIES, noteRetry, retriesIn, retryLine } from '../harness/retries.mjs';

test('tests that were run once more are named at the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inklings-retries-'));
  const before = env.INKLINGS_RETRIES;
  env.INKLINGS_RETRIES = join(folder, 'retries');
  try {
    assert.equal(retryLine(retriesIn(env.INKLINGS_RETRIES)), '');
    noteRetry('one');
    noteRetry('another, with words');
    assert.deepEqual(retriesIn(env.INKLINGS_RETRIES), ['one', 'another, with words']);
    assert.equal(retryLine(retriesIn(env.INKLINGS_RETRIES)), `flaky: 2 of at most ${MOST_RETRIES}: one; another, with words\n`);
  } finally {
    if (before === undefined) delete env.INKLINGS_RETRIES;
    else env.INKLINGS_RETRIES = before;
    await rm(folder, { recursive: true, force: true });
  }
});
