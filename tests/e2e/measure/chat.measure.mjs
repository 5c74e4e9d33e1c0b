// A long chat: opening it, scrolling through it, and a megabyte of text that streams in at its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';
import { measured, quantile } from '../harness/times.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const EXCHANGES = 250;
const STREAMED_BYTES = 1024 * 1024;
const CHUNK_BYTES = 256;
/** About 4,000 tokens a second. */
const CHUNK_INTERVAL_MS = 15;
/** The command is started for each exchange. */
const LIMIT_MS = 600_000;

/** A section of an answer, as models write them. @param {number} number */
const section = (number) => `## Part ${number}

The **claims** of part ${number} are checked against [the page](https://example.org/${number}); \`claim_${number}\` has no source. ${'Each sentence adds a few words that have to be laid out. '.repeat(6)}

- one point with *emphasis*
- another one, a little longer than the first
- a third

| claim | verdict |
|---|---|
| ${number} | supported |
| ${number + 1} | open |

\`\`\`python
def check_${number}(claims):
    return [claim for claim in claims if claim.source is None]
\`\`\`
`;

/** Records the time between frames until `framesOf`. @param {Studio} studio */
const watchFrames = (studio) =>
  studio.browser.execute(() => {
    const times = { frames: /** @type {number[]} */ ([]), recording: true };
    let last = performance.now();
    const onFrame = () => {
      const now = performance.now();
      times.frames.push(now - last);
      last = now;
      if (times.recording) requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
    Object.assign(window, { frameTimes: times });
  });

/** @param {Studio} studio @returns {Promise<number[]>} */
const framesOf = (studio) =>
  studio.browser.execute(() => {
    const times = /** @type {any} */ (window).frameTimes;
    times.recording = false;
    return times.frames;
  });

test('a chat of 500 messages, and a megabyte that streams in', onMachine(async (machine) => {
  const model = await Model.start({ repeat: 0, then: { reply: { text: `${section(1)}\n${section(2)}` } } });
  try {
    await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
    const first = await machine.command.json('chat', 'send', 'Check the first part of my notes.');
    for (let number = 2; number <= EXCHANGES; number++) await machine.command.json('chat', 'send', `Check part ${number}.`, '--chat', first.session.id);

    const studio = await machine.start();
    await studio.run('Show chat');
    await studio.browser.execute(() => {
      addEventListener('click', () => {
        const start = performance.now();
        const look = () => {
          if (document.querySelector('li:last-child [data-testid="chat-answer"] h2')) Object.assign(window, { opened: performance.now() - start });
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }, { capture: true, once: true });
    });
    await studio.click(await studio.find('[data-testid="chat-row"] button'));
    const opened = await until(() => studio.browser.execute(() => /** @type {any} */ (window).opened ?? null), 'the chat');

    const drawn = () => studio.browser.execute(() => document.querySelectorAll('[data-testid="chat-answer"] h2').length);
    await until(async () => (await drawn()) === 2 * EXCHANGES, 'all messages');

    const scroller = '[data-testid="chat-messages"]';
    await watchFrames(studio);
    await studio.browser.executeAsync((/** @type {string} */ selector, /** @type {() => void} */ done) => {
      const box = document.querySelector(selector);
      if (!box) return done();
      let step = -900;
      const scroll = () => {
        box.scrollTop += step;
        if (box.scrollTop <= 0) step = 900;
        else if (step > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2) return done();
        requestAnimationFrame(scroll);
      };
      scroll();
    }, scroller);
    const scrolled = await framesOf(studio);

    let text = '';
    for (let number = 1_000; text.length < STREAMED_BYTES; number++) text += `${section(number)}\n`;
    const chunks = text.match(new RegExp(`[^]{1,${CHUNK_BYTES}}`, 'g')) ?? [];
    await model.script({ then: { reply: { chunks, delay_ms: CHUNK_INTERVAL_MS } } });
    await studio.click(await studio.find('[data-testid="chat-input"]'));
    await studio.paste('Now all of it.');
    await studio.press('Enter');
    await studio.find('[data-testid="chat-running"]');
    await watchFrames(studio);
    const running = () => studio.browser.execute(() => document.querySelector('[data-testid="chat-running"]') !== null);
    await until(async () => !(await running()), 'the end of the answer', { every: 1_000, deadline: 240_000 });
    const streamed = await framesOf(studio);
    const shown = await studio.browser.execute(() => document.querySelector('li:last-child [data-testid="chat-answer"]')?.querySelectorAll('h2').length ?? 0);
    assert.equal(shown, text.match(/^## /gm)?.length);
    console.log(`${streamed.length} frames while ${chunks.length} pieces arrived`);
    await measured({
      'chat/open_500': opened,
      'chat/scroll_500_frame_p95': quantile(scrolled, 0.95),
      'chat/stream_1mib_frame_p95': quantile(streamed, 0.95),
      'chat/stream_1mib_frame_p99': quantile(streamed, 0.99),
      'chat/stream_1mib_worst_frame': quantile(streamed, 1),
    });
  } finally {
    await model.end();
  }
}, LIMIT_MS));
