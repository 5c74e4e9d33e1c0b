// Starts a screen, then the tests on it: all of them, or the files named on the command line.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDisplay } from './harness/display.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const named = process.argv.slice(2);
const files = named.length > 0 ? named : readdirSync(join(here, 'specs')).filter((name) => name.endsWith('.test.mjs')).sort().map((name) => join('specs', name));

const display = await startDisplay();
const tests = spawn(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=spec', ...files], {
  cwd: here,
  stdio: 'inherit',
  env: { ...process.env, DISPLAY: display.name, INKLINGS_SCREEN: display.screen },
});
process.exitCode = await new Promise((resolve) => {
  tests.once('exit', (code) => resolve(code ?? 1));
  tests.once('error', () => resolve(1));
});
await display.end();
