// How long the Studio takes until somebody can work in it, beside a Tauri app with an empty page.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { env } from 'node:process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { measured, quantile } from '../harness/times.mjs';
import { until } from '../harness/wait.mjs';
import { openWindow, surroundings } from '../harness/window.mjs';

const ROUNDS = 9;

/** @typedef {import('../harness/studio.mjs').Machine} Machine */

/**
 * Milliseconds from the start of the process until its page was painted and free for what a person does next.
 * @param {Machine} machine
 * @param {string} program
 */
async function interactive(machine, program) {
  const [stamp, launcher] = [join(machine.folder, 'started'), join(machine.folder, 'launcher')];
  await writeFile(launcher, `#!/bin/sh\ndate +%s%N > '${stamp}'\nexec '${program}' "$@"\n`);
  await chmod(launcher, 0o755);
  const window = await openWindow({ program, launcher, env: await surroundings(machine.folder, { INKLINGS_HOME: machine.home, DISPLAY: env.DISPLAY ?? '' }) });
  try {
    const mark = () => window.browser.execute(() => performance.getEntriesByName('interactive').map((entry) => performance.timeOrigin + entry.startTime)[0]);
    // Asking takes time of the page that is measured: seldom, then.
    const end = await until(mark, 'the window to be interactive', { every: 1_000 });
    return end - Number(await readFile(stamp, 'utf8')) / 1e6;
  } finally {
    await window.close();
  }
}

test('the window is interactive', onMachine(async (machine) => {
  const studio = env.INKLINGS_STUDIO_BIN ?? '';
  const blank = join(dirname(studio), 'blank-window');
  /** @type {Record<string, number[]>} */
  const times = { [studio]: [], [blank]: [] };
  // The first of each fills the caches of the system, and makes the account's database.
  for (const program of [blank, studio]) await interactive(machine, program);
  for (let round = 0; round < ROUNDS; round++) {
    for (const program of [blank, studio]) times[program]?.push(await interactive(machine, program));
  }
  const [ours, theirs] = [quantile(times[studio] ?? [], 0.5), quantile(times[blank] ?? [], 0.5)];
  await measured({ 'window/interactive': ours, 'window/interactive_beside_blank': ours, 'window/blank': theirs });
}));
