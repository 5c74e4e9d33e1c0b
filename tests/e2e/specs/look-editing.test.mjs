import { test } from 'node:test';
import { differentPixels } from '../harness/screen.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** Of 1,024,000: scrollbars that are there or not, and a blinking cursor. */
const MAX_DIFFERENT_PIXELS = 8_000;

test('pictures of editing and settings', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.pictures('first-start');

  await studio.run('Open sample workspace');
  await studio.one('tree-item', '[data-kind="section"][data-scope="workspace"]');
  await studio.open('consistency-checker', 'prompts/check-prompt.j2');
  await studio.shows('preview', /tokens/);
  await studio.run('Use light theme');
  const pictures = await studio.pictures('editing', { bothThemes: true });
  // The commands show what the pictures of their themes show.
  for (const [theme, picture] of [...pictures].reverse()) {
    await studio.run(`Use ${theme} theme`);
    await until(() => studio.browser.execute((wanted) => getComputedStyle(document.documentElement).colorScheme === wanted, theme), `the ${theme} theme`);
    const different = async () => differentPixels((await studio.picture()).rgb, picture.rgb);
    await until(async () => (await different()) <= MAX_DIFFERENT_PIXELS, async () => `the picture of the ${theme} theme, ${await different()} pixels differ`);
  }

  await studio.press('Ctrl+Shift+P');
  await studio.one('palette');
  await studio.pictures('palette');
  await studio.press('Escape');
  await studio.absent('palette');

  await studio.button('Info');
  await studio.pictures('info');
  await studio.button('Preview');

  await studio.button('Duplicate to edit');
  await studio.one('tree-item', '[data-skill="consistency-checker"][data-scope="workspace"]');
  await until(() => studio.browser.execute(() => document.querySelector('.cm-content')?.getAttribute('aria-readonly') !== 'true'), 'the copy in the editor');
  await studio.edit();
  await studio.press('Ctrl+Home');
  await studio.paste('{% for %}');
  await studio.run('Toggle problems');
  await studio.one('problems');
  await studio.one('problem');
  await studio.pictures('problems');
  await studio.run('Toggle problems');
  await studio.absent('problems');

  await studio.run('New file');
  await studio.one('new-file');
  await studio.pictures('new-file');
  await studio.press('Escape');
  await studio.absent('new-file');

  await studio.run('Open settings');
  await studio.pictures('settings');
  await studio.run('Set script limits');
  await (await studio.find('[data-limit="seconds"] input')).click();
  await studio.press('Ctrl+A');
  await studio.type('0');
  await studio.press('Tab');
  await studio.focused('script-limit');
  await studio.pictures('settings-scripts');
  await studio.run('Set run retention');
  await (await studio.find('[data-limit="days"] input')).click();
  await studio.press('Ctrl+A');
  await studio.type('30\n');
  await studio.pictures('settings-runs');
}));

test('pictures of pages', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.run('Show pages');
  await studio.one('pages-closed');
  await studio.pictures('pages-closed');
  await studio.button('Open sample workspace', '[data-testid="pages-closed"]');
  await studio.one('page-row');
  await studio.run('Show link problems');
  await studio.shows('link-problems', /line \d/);
  await studio.pictures('pages');
  await studio.run('Go to page');
  await studio.one('palette-option');
  await studio.pictures('pages-palette');
  await studio.choose('Mara Venn');
  await studio.one('page', '[data-slug="characters/mara-venn"]');
  await studio.shows('page-history', /ago|now|Nothing|20\d\d/);
  await studio.pictures('page');
  await studio.run('Search pages');
  await studio.focused('page-search');
  await studio.type('ledger lam');
  await until(async () => (await studio.allWords('[data-testid="page-row"]')).some((words) => /ledger/i.test(words)), 'hits');
  await studio.pictures('pages-search');
}));
