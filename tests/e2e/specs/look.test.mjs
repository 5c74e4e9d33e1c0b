import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

for (const theme of /** @type {const} */ (['light', 'dark'])) {
  test(`pictures in ${theme}`, onMachine(async (machine) => {
    const studio = await machine.start();
    await studio.run(`${theme} theme`);
    const dark = () => studio.browser.execute(() => getComputedStyle(document.documentElement).colorScheme.includes('dark'));
    await until(async () => (await dark()) === (theme === 'dark'), `the ${theme} theme`);
    await studio.pictures('first-start', theme);

    await studio.run('Open the sample workspace');
    await studio.one('tree-item', '[data-kind="section"][data-scope="workspace"]');
    await studio.open('consistency-checker', 'prompts/check-prompt.j2');
    await studio.one('preview');
    const [picture] = await studio.pictures('editing', theme);
    const light = average(picture.rgb);
    assert.ok(theme === 'dark' ? light < 96 : light > 160, `mean brightness ${light.toFixed(0)}`);

    await studio.press('Ctrl+Shift+P');
    await studio.one('palette');
    await studio.pictures('palette', theme);
    await studio.press('Escape');
    await studio.gone('palette');

    await studio.button('Info');
    await studio.pictures('info', theme);
    await studio.button('Preview');

    await studio.button('Duplicate to edit');
    await studio.one('tree-item', '[data-skill="consistency-checker"][data-scope="workspace"]');
    await until(() => studio.browser.execute(() => document.querySelector('.cm-content')?.getAttribute('aria-readonly') !== 'true'), 'the copy in the editor');
    await studio.edit();
    await studio.press('Ctrl+Home');
    await studio.paste('{% for %}');
    await studio.run('Show or hide problems');
    await studio.one('problems');
    await studio.one('problem');
    await studio.pictures('problems', theme);

    await studio.run('New file');
    await studio.one('new-file');
    await studio.pictures('new-file', theme);
    await studio.press('Escape');
    await studio.gone('new-file');

    await studio.run('Open settings');
    await studio.pictures('settings', theme);
  }));
}

/** @param {Buffer} bytes */
function average(bytes) {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return sum / bytes.length;
}
