import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';
import { measured } from '../harness/times.mjs';
import { until } from '../harness/wait.mjs';

const PIECES = 400;

/** The duration that a share of the sorted ones doesn't exceed. @param {number[]} hops @param {number} share */
const at = (hops, share) => Number((hops[Math.min(hops.length - 1, Math.floor(hops.length * share))] ?? NaN).toFixed(1));

/** Runs what is in front; the pieces' durations, sorted. @param {import('../harness/studio.mjs').Studio} studio */
async function run(studio) {
  await studio.browser.execute(() => performance.clearMeasures());
  await studio.press('Ctrl+Enter');
  const status = () => studio.browser.execute(() => document.querySelector('[data-testid="run-result"]')?.getAttribute('data-status'));
  await until(async () => (await status()) === '', 'the run to begin');
  // Asking what is on the screen takes time of the page that is measured: seldom, then.
  await until(async () => (await status()) === 'ok', 'the end of the run', { every: 1_000 });
  const hops = await studio.browser.execute(() => performance.getEntriesByName('run-text-hop').map((entry) => entry.duration));
  return hops.sort((a, b) => a - b);
}

test('streamed text reaches the window whole, and how long each piece takes is measured', onMachine(async (machine) => {
  const pieces = Array.from({ length: PIECES }, (_, number) => `word${number} `);
  const model = await Model.start({ repeat: 0, then: { reply: { chunks: pieces, delay_ms: 8 } } });
  try {
    await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
    const folder = join(await machine.place('skills'), 'talker');
    await mkdir(join(folder, 'prompts'), { recursive: true });
    await writeFile(join(folder, 'SKILL.md'), '---\nname: talker\ndescription: Talks for a while. Use it to see how text streams in.\n---\n\nTalk.\n');
    await writeFile(join(folder, 'prompts/talk.j2'), 'Talk for a while.\n');
    await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: 'prompts/talk.j2', kind: 'prompt_template', name: 'Talk', ordinal: 1 }] }));
    await machine.command.json('import', folder);
    const studio = await machine.start();
    await studio.open('talker', 'prompts/talk.j2');
    const hops = await run(studio);
    console.log(`${hops.length} pieces of text reached the page in ${at(hops, 0.5)} ms (half), ${at(hops, 0.99)} ms (99 %), ${at(hops, 1)} ms (all)`);
    assert.equal(hops.length, PIECES);
    assert.ok(at(hops, 0) > -2, `the clocks differ: ${at(hops, 0)} ms`);
    await measured({ 'run/text_to_window_p99': at(hops, 0.99) });
  } finally {
    await model.end();
  }
}));
