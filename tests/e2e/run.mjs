// Runs the tests in the real window: all of them, or the files named on the command line. Each worker has a screen of its own and
// takes the next file when it is done with one; what a file's tests print comes out at its end, in one piece.
//
// INKLINGS_WORKERS: how many at a time (measurements want one). INKLINGS_TESTS: a pattern that the names of tests must match.
// INKLINGS_RESULTS: a file of results of earlier runs; INKLINGS_INPUTS: the hash of what the tests depend on. A file whose tests passed
// on the same inputs isn't run again.
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { startDisplay } from './harness/display.mjs';
import { Results } from './harness/results.mjs';
import { MOST_RETRIES, retriesIn, retryLine } from './harness/retries.mjs';

/** More would wait for each other. */
const MAX_WORKERS = 4;

const here = fileURLToPath(new URL('.', import.meta.url));
const results = new Results(env.INKLINGS_RESULTS ?? join(here, 'logs/results.json'), env.INKLINGS_INPUTS);
const named = process.argv.slice(2);
const files = named.length > 0 ? named : pending(longestFirst(readdirSync(join(here, 'specs')).filter((name) => name.endsWith('.test.mjs')).map((name) => join('specs', name))));
const pattern = env.INKLINGS_TESTS ? [`--test-name-pattern=${env.INKLINGS_TESTS}`] : [];
// A window waits for a good part of its time, so that one more than there are cores keeps all of them busy.
const workers = Number(env.INKLINGS_WORKERS ?? Math.min(MAX_WORKERS, cpus().length + 1));

const notes = await mkdtemp(join(tmpdir(), 'inklings-e2e-run-'));

await Promise.all(Array.from({ length: Math.min(workers, files.length) }, work));

const retried = readdirSync(notes).flatMap((name) => retriesIn(join(notes, name)));
process.stdout.write(retryLine(retried));
if (retried.length > MOST_RETRIES) process.exitCode = 1;
await rm(notes, { recursive: true, force: true });

/**
 * Those that didn't pass on the same inputs.
 * @param {string[]} files
 */
function pending(files) {
  return files.filter((file) => {
    const passed = results.passed(file);
    if (passed !== undefined) process.stdout.write(`${file}: up to date\n\u2139 pass ${passed}\n`);
    return passed === undefined;
  });
}

/**
 * A long file that starts last would keep one worker busy alone. Files without a duration come first: those that take pictures of many
 * places, then the others by size.
 * @param {string[]} files
 */
function longestFirst(files) {
  const duration = (/** @type {string} */ file) => results.seconds(file) ?? Infinity;
  const size = (/** @type {string} */ file) => (basename(file).startsWith('look-') ? Infinity : statSync(join(here, file)).size);
  return files.sort((one, other) => (duration(one) === duration(other) ? size(other) - size(one) : duration(other) - duration(one)));
}

/** Takes files until there are none. */
async function work() {
  const display = await startDisplay();
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    const started = performance.now();
    const retries = join(notes, basename(file));
    const { passed, ok } = await run(file, { DISPLAY: display.name, INKLINGS_SCREEN: display.screen, INKLINGS_RETRIES: retries });
    if (!ok) process.exitCode = 1;
    else if (pattern.length === 0 && retriesIn(retries).length === 0) results.add(file, passed, Math.round((performance.now() - started) / 1_000));
  }
  await display.end();
}

/**
 * Runs the tests of a file and prints what they print.
 * @param {string} file
 * @param {Record<string, string>} settings
 * @returns {Promise<{ passed: number, ok: boolean }>}
 */
function run(file, settings) {
  const tests = spawn(execPath, ['--test', '--test-concurrency=1', '--test-reporter=spec', ...pattern, file], {
    cwd: here,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...settings },
  });
  /** @type {Buffer[]} */
  const printed = [];
  for (const stream of [tests.stdout, tests.stderr]) stream.on('data', (data) => printed.push(data));
  return new Promise((resolve) => {
    tests.once('error', (error) => printed.push(Buffer.from(`${file}: ${error.message}\n`)));
    tests.once('close', (code) => {
      const text = Buffer.concat(printed).toString();
      process.stdout.write(`${file}\n${text}`);
      resolve({ passed: Number(/^\u2139 pass (\d+)$/m.exec(text)?.[1] ?? 0), ok: code === 0 });
    });
  });
}
