// What the page takes for what a person does all day: typing, opening, scrolling.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { measured, quantile } from '../harness/times.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

/** @param {Machine} machine @param {string} slug @param {Record<string, string>} files */
async function skill(machine, slug, files) {
  const folder = join(await machine.place('skills'), slug);
  await mkdir(join(folder, 'prompts'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), `---\nname: ${slug}\ndescription: Is measured. Use it for nothing.\n---\n\nBody of ${slug}.\n`);
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  return folder;
}

/** Types single characters, a while apart. @param {Studio} studio @param {string} text @param {number} pause */
async function strokes(studio, text, pause) {
  const action = studio.browser.action('key');
  for (const character of text) action.down(character).up(character).pause(pause);
  await action.perform();
}

test('typing in a file of 5,000 lines', onMachine(async (machine) => {
  const lines = Array.from({ length: 5_000 }, (_, number) => `Line ${number} of a *long* text with a [link](https://example.org/${number}) and {{ variable_${number % 7} }}.`);
  const body = `---\nname: long\ndescription: Is long. Use it for nothing.\n---\n\n${lines.join('\n')}\n`;
  const folder = await skill(machine, 'long', { 'prompts/long.j2': lines.join('\n') });
  await writeFile(join(folder, 'SKILL.md'), body);
  await machine.command.json('import', folder);
  const studio = await machine.start();
  for (const path of ['SKILL.md', 'prompts/long.j2']) {
    await studio.open('long', path);
    await studio.edit();
    await studio.press('Ctrl+Home');
    for (let down = 0; down < 8; down++) await studio.press('Down');
    await studio.press('End');
    // Whoever begins to type has looked at the file for a moment.
    await strokes(studio, 'warm', 100);
    await studio.browser.execute(() => {
      /** @type {{ work: number[], frames: number[] }} */
      const times = { work: [], frames: [] };
      const after = (/** @type {() => void} */ then) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = then;
        port2.postMessage(null);
      };
      addEventListener(
        'keydown',
        () => {
          const start = performance.now();
          // The next task, or the frame, begins when everything that the key caused is done.
          let done = false;
          const end = () => {
            if (!done) times.work.push(performance.now() - start);
            done = true;
          };
          after(end);
          requestAnimationFrame(() => {
            end();
            after(() => times.frames.push(performance.now() - start));
          });
        },
        true,
      );
      Object.assign(window, { strokeTimes: times });
    });
    await strokes(studio, 'the quick brown fox jumps over the lazy dog and does it again, and again, till it is enough for the measure.', 60);
    const { work, frames } = await studio.browser.execute(() => /** @type {any} */ (window).strokeTimes);
    const kind = path.endsWith('.md') ? 'markdown' : 'template';
    await measured({ [`typing/work_p95_${kind}`]: quantile(work, 0.95), [`typing/next_frame_p95_${kind}`]: quantile(frames, 0.95) });
  }
}));

test('the preview follows typing', onMachine(async (machine) => {
  const fork = await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  await studio.open(fork, 'prompts/check-prompt.j2');
  await studio.one('preview-text');
  await studio.edit();
  await studio.press('Ctrl+Home');
  await strokes(studio, 'warm ', 300);
  await studio.browser.execute(() => {
    /** @type {number[]} */
    const times = [];
    let start = 0;
    addEventListener('keydown', () => (start = performance.now()), true);
    const look = () => {
      if (start === 0) return;
      times.push(performance.now() - start);
      start = 0;
    };
    // The preview may be drawn anew, so the pane around it is watched.
    const pane = document.querySelector('[data-testid="preview"]');
    if (pane) new MutationObserver(look).observe(pane, { subtree: true, characterData: true, childList: true });
    Object.assign(window, { previewTimes: times });
  });
  await strokes(studio, 'follows the typing at once', 350);
  const times = await studio.browser.execute(() => /** @type {any} */ (window).previewTimes);
  if (times.length < 20) throw new Error(`the preview followed ${times.length} of 26 strokes`);
  await measured({ 'window/preview_p95': quantile(times, 0.95) });
}));

test('opening skills among 10,000, and scrolling through them', onMachine(async (machine) => {
  const all = await machine.place('many');
  for (let number = 0; number < 10_000; number++) {
    const name = `skill-${String(number).padStart(5, '0')}`;
    await mkdir(join(all, name));
    await writeFile(join(all, name, 'SKILL.md'), `---\nname: ${name}\ndescription: One of many. Use it for nothing.\n---\n\nBody of ${name}.\n`);
  }
  await machine.command.json('import', all);
  const studio = await machine.start();
  await studio.shows('status-bar', /10.?005 skills/);

  const rows = '[data-testid="tree-item"][data-kind="skill"][data-skill^="skill-"]';
  await until(async () => (await studio.count(rows)) > 10, 'rows of the tree');
  // The editor has come by itself meanwhile.
  await studio.open('skill-00000', 'SKILL.md');
  await studio.browser.execute((selector) => {
    /** @type {Record<string, number[]>} */
    const times = { skill: [], file: [] };
    Object.assign(window, { openTimes: times });
    addEventListener(
      'click',
      (event) => {
        const start = performance.now();
        const row = event.target instanceof Element ? event.target.closest('[data-testid="tree-item"]') : null;
        const slug = row?.getAttribute('data-skill');
        const file = row?.getAttribute('data-kind') === 'file';
        // A click that closes a skill brings nothing that could be waited for.
        if (!file && row?.getAttribute('aria-expanded') === 'true') return;
        const there = () =>
          file
            ? document.querySelector('[data-testid="editor"] .cm-content')?.textContent?.includes(`Body of ${slug}.`)
            : document.querySelector(`[data-testid="tree-item"][data-kind="file"][data-skill="${slug}"]`) !== null;
        const look = () => {
          if (there()) times[file ? 'file' : 'skill']?.push(performance.now() - start);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      true,
    );
    void selector;
  }, rows);
  for (let number = 1; number <= 40; number++) {
    // Those that are in sight, twice.
    const slug = `skill-${String(1 + ((number - 1) % 20)).padStart(5, '0')}`;
    await (await studio.one('tree-item', `[data-kind="skill"][data-skill="${slug}"]`)).click();
    await (await studio.one('tree-item', `[data-kind="file"][data-skill="${slug}"]`)).click();
    await until(() => studio.browser.execute((count) => /** @type {any} */ (window).openTimes.file.length === count, number), `${slug} in the editor`);
    await (await studio.one('tree-item', `[data-kind="skill"][data-skill="${slug}"]`)).click();
    await until(async () => (await studio.count(`[data-testid="tree-item"][data-kind="file"][data-skill="${slug}"]`)) === 0, `${slug} to close`);
  }
  const opened = await studio.browser.execute(() => /** @type {any} */ (window).openTimes);

  const gaps = await studio.browser.executeAsync((/** @type {(gaps: number[]) => void} */ done) => {
    const tree = document.querySelector('[role="tree"]');
    const box = [tree, ...(tree?.querySelectorAll('*') ?? [])].find((element) => element && element.scrollHeight > element.clientHeight + 1_000 && getComputedStyle(element).overflowY !== 'visible');
    if (!box) return done([]);
    /** @type {number[]} */
    const found = [];
    let last = performance.now();
    let running = true;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const now = performance.now();
      found.push(now - last);
      last = now;
      if (running) port2.postMessage(null);
    };
    port2.postMessage(null);
    const end = performance.now() + 6_000;
    let direction = 1;
    const step = () => {
      // A flick of the wheel in each frame, through the whole list and back.
      box.scrollTop += direction * 900;
      if (box.scrollTop + box.clientHeight >= box.scrollHeight - 2) direction = -1;
      if (performance.now() < end) requestAnimationFrame(step);
      else {
        running = false;
        done(found);
      }
    };
    requestAnimationFrame(step);
  });
  await measured({ 'tree/open_skill_p95': quantile(opened.skill, 0.95), 'tree/open_file_p95': quantile(opened.file, 0.95), 'tree/scroll_10000_worst_gap': quantile(gaps, 1) });
}));
