// Every place by keyboard alone: what has the focus has a name and can be seen to have it, nothing holds on to it, and
// what lies over the window gives it back. What axe finds is asked wherever a picture is taken (harness/pictures.mjs).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { enter, leave, PLACES, ready } from '../tours/places.mjs';

/** More stops than any place has until the keyboard is round. */
const STOPS = 90;

/**
 * Where the focus is: a name for messages, and what is wrong with it.
 * @param {import('../harness/studio.mjs').Studio} studio
 */
const focus = (studio) =>
  studio.browser.execute(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { id: 'body', faults: [] };
    const short = element.outerHTML.replace(/\s+/g, ' ').slice(0, 160);
    const box = element.getBoundingClientRect();
    const labels = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '');
    const fields = element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;
    const names = [element.getAttribute('aria-label'), ...labels, element.title, fields ? element.labels?.[0]?.textContent : element.textContent, element.getAttribute('placeholder')];
    const faults = [];
    if (!names.some((name) => name?.trim())) faults.push('it has no name');
    if (box.width === 0 || box.height === 0) faults.push('it has no size');
    // The ring is its own, its frame's, or that of the row or tab that it speaks for.
    const active = document.getElementById(element.getAttribute('aria-activedescendant') ?? '');
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--border-subtle)';
    const quiet = getComputedStyle(probe).color;
    probe.remove();
    const ringed = (/** @type {Element} */ one) => {
      const style = getComputedStyle(one);
      // A splitter's line changes its color instead.
      if (one.getAttribute('role') === 'separator') return ![quiet, 'rgba(0, 0, 0, 0)'].includes(getComputedStyle(one, '::after').backgroundColor);
      // A list's ring lies above its rows.
      const above = getComputedStyle(one, '::after');
      if (one.getAttribute('role') === 'listbox' && above.content !== 'none' && parseFloat(above.borderTopWidth) > 0) return true;
      return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
    };
    const around = [element, active, element.parentElement, element.parentElement?.parentElement].filter((one) => one instanceof Element);
    const caret = fields || element.isContentEditable;
    if (!caret && !around.some(ringed)) faults.push('nothing shows that it has the focus');
    const every = [...document.querySelectorAll('*')];
    return { id: `${every.indexOf(element)} ${short}`, faults: faults.map((fault) => `${fault}: ${short}`) };
  });

test('every place by keyboard', onMachine(async (machine) => {
  const studio = await ready(machine);
  const faults = new Set();
  for (const place of PLACES) {
    await enter(studio, place);
    const seen = new Set();
    let round = false;
    let trapped = 0;
    for (let stop = 0; stop < STOPS && !round; stop++) {
      // In a text Tab indents: Escape, then Tab goes on, as its help says.
      await studio.press('Tab');
      const { id, faults: found } = await focus(studio);
      for (const fault of found) faults.add(`${place.name}: ${fault}`);
      trapped = seen.size > 0 && [...seen].at(-1) === id ? trapped + 1 : 0;
      if (trapped > 1) {
        await studio.press('Escape');
        await studio.press('Tab');
      }
      if (trapped > 3) {
        faults.add(`${place.name}: the keyboard doesn't leave ${id}`);
        break;
      }
      round = seen.has(id) && [...seen][0] === id;
      seen.add(id);
    }
    await leave(studio, place).catch(() => faults.add(`${place.name}: it doesn't go away`));
  }
  assert.deepEqual([...faults], []);
}));

test('what lies over the window takes the focus and gives it back', onMachine(async (machine) => {
  const studio = await ready(machine);
  await studio.edit();
  for (const place of PLACES.filter((one) => one.over)) {
    await enter(studio, place);
    const inside = await studio.browser.execute(() => document.activeElement?.closest('dialog, [role="dialog"], [data-testid="palette"]') !== null);
    assert.ok(inside, `${place.name} has the focus`);
    await leave(studio, place);
    await studio.focused('editor');
  }
}));
