import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrolledParts } from '../harness/axe.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const PROMPT = 'prompts/check-prompt.j2';
/** Higher than any window, so that the editor's text is too. */
const LONG = Array.from({ length: 200 }, (_, at) => `Line ${at + 1} of a long prompt.`).join('\n');

/** The window is where it was: its own parts aren't scrolled, and top and bottom are in sight. @param {Studio} studio */
async function stays(studio) {
  assert.deepEqual(await scrolledParts(studio.browser), []);
  const edges = /** @type {any[]} */ (await studio.browser.execute(() => ['tree', 'shell'].map((id) => document.querySelector(`[data-testid="${id}"]`)?.getBoundingClientRect().toJSON())));
  assert.ok(edges.every((box) => box.top >= 0 && box.bottom <= edges[1].bottom), JSON.stringify(edges));
}

/** Selected text, wherever it is. @param {Studio} studio */
const selected = (studio) => studio.browser.execute(() => document.getSelection()?.toString() ?? '');

/** The middle of an element. @param {Studio} studio @param {string} selector */
const middle = (studio, selector) => studio.browser.execute((wanted) => {
  const box = document.querySelector(wanted)?.getBoundingClientRect();
  return box ? { x: Math.round(box.left + box.width / 2), y: Math.round(box.top + box.height / 2) } : { x: 0, y: 0 };
}, selector);

test('shortcuts of two keys, and F6 from part to part', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.open('consistency-checker', 'SKILL.md');
  await studio.press('Ctrl+K');
  await studio.shows('status-chord', 'Ctrl+K pressed');
  await studio.press('Escape');
  await studio.absent('status-chord');
  await studio.press('Ctrl+K');
  await studio.press('x');
  await studio.shows('status-chord', 'Ctrl+K X isn’t a shortcut');
  await studio.press('Ctrl+K');
  await studio.press('Ctrl+S');
  await studio.shows('settings', 'Keyboard shortcuts');
  // Escape leaves the settings.
  await studio.browser.execute(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined));
  await studio.press('Escape');
  await studio.absent('settings');
  const region = () => studio.browser.execute(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'));
  await until(async () => (await region()) === 'editor', 'the focus in the editor');
  for (const next of ['inspector', 'status', 'activity', 'sidebar', 'editor']) {
    await studio.press('F6');
    await until(async () => (await region()) === next, `the focus in the ${next}`);
  }
  await studio.press('Shift+F6');
  await until(async () => (await region()) === 'sidebar', 'the focus in the sidebar');
  await studio.press('Ctrl+K');
  await studio.press('Ctrl+W');
  await studio.one('start-page');
}));

test('the keyboard focus shows the tooltip of a control, which Escape hides', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.open('consistency-checker', 'SKILL.md');
  const shown = () => studio.browser.execute(() => {
    const tooltip = document.querySelector('[data-testid="tooltip"]');
    return tooltip?.matches(':popover-open') ? tooltip.textContent : null;
  });
  const region = () => studio.browser.execute(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region'));
  for (const next of ['inspector', 'status', 'activity']) {
    await studio.press('F6');
    await until(async () => (await region()) === next, `the focus in the ${next}`);
  }
  await until(async () => (await shown()) !== null, 'a tooltip');
  await studio.press('Escape');
  await until(async () => (await shown()) === null, 'no tooltip');
  await studio.press('Down');
  await until(async () => (await shown())?.startsWith('Search (') === true, 'the tooltip with the shortcut');
  await studio.pictures('tooltip');
}));

test('the menu has every command, by keyboard and by mouse', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.press('F10');
  await studio.find('[role="menu"][aria-label="Menu"]');
  await studio.press('h');
  await studio.press('Enter');
  await studio.find('[role="menu"][aria-label="Help"]');
  await studio.press('Escape');
  await studio.absent('menu');
  await (await studio.one('main-menu')).click();
  await studio.button('View…', '[role="menu"]');
  await studio.find('[role="menu"][aria-label="View"]');
  await studio.button('Show data locations', '[role="menu"]');
  await studio.one('settings');
}));

test('what lies over the window gives the focus back without moving the window', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  await machine.command.write(skill, PROMPT, LONG);
  const studio = await machine.start();
  for (const [width, height] of [[1280, 800], [900, 600]]) {
    await studio.window.resize(width, height);
    await studio.open(skill, PROMPT);
    await studio.edit();
    // The end of the text is far below the window.
    await studio.press('Ctrl+End');
    await studio.button('New skill', 'nav');
    await studio.one('new-skill');
    await studio.press('Escape');
    await studio.noDialog();
    await stays(studio);
    await studio.edit();
    await studio.press('Ctrl+Shift+P');
    await studio.focused('palette-input');
    await studio.press('Escape');
    await studio.noDialog();
    await studio.focused('editor');
    await stays(studio);
  }
}));

test('commands that show a view move the focus into it', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.open('consistency-checker', 'SKILL.md');
  const inView = () => studio.browser.execute(() => document.activeElement?.closest('main[data-region="view"]') != null);
  for (const title of ['Show runs', 'Show usage', 'Show evals', 'Show proposals', 'Show marketplace', 'Open settings']) {
    await studio.edit();
    await studio.run(title);
    await until(inView, `the focus in the view of "${title}"`);
    await studio.run('Show editor');
  }
}));

test('commands on skills act on the one in the tree, and Undo in a toast gives the focus back', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  await studio.open(skill, 'SKILL.md');
  await (await studio.one('tree-item', '[data-kind="skill"][data-skill="consistency-checker"]')).click();
  await studio.focused('tree');
  await studio.run('Disable skill');
  await studio.shows('toast', /^Disabled /);
  await until(async () => (await machine.command.json('skill', 'show', 'consistency-checker')).enabled === false, 'the built-in skill to be disabled');
  await studio.focused('tree');
  await studio.button('Undo', '[data-testid="toast"]');
  await until(async () => (await machine.command.json('skill', 'show', 'consistency-checker')).enabled === true, 'the skill to be enabled again');
  await studio.focused('tree');
}));

test('in a narrow window the inspector lies above the editor, and Escape closes it', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.open('consistency-checker', PROMPT);
  await studio.one('inspector');
  const width = async () => (await (await studio.find('[data-testid="editor"] .cm-content')).getSize()).width;
  const inInspector = () => studio.browser.execute(() => document.activeElement?.closest('[data-testid="inspector"]') != null);
  await studio.window.resize(900, 600);
  await studio.absent('inspector');
  assert.ok((await width()) > 500, `the text is ${await width()} pixels wide`);
  await studio.edit();
  await studio.press('Ctrl+Alt+B');
  await studio.one('close-inspector');
  await until(inInspector, 'the focus in the inspector');
  assert.ok((await width()) > 500, 'the text keeps its width below the inspector');
  await studio.press('Escape');
  await studio.absent('inspector');
  await studio.focused('editor');
  // What is worked in stays when there is less room, and is beside the editor when there is more.
  await studio.window.resize(1280, 800);
  await (await studio.find('[data-testid="inspector"] textarea')).click();
  await studio.window.resize(900, 600);
  await studio.one('close-inspector');
  assert.ok(await inInspector());
  await studio.window.resize(1280, 800);
  await studio.absent('close-inspector');
  await studio.one('inspector');
  await studio.window.resize(900, 600);
  await (await studio.one('close-inspector')).click();
  await (await studio.one('status-inspector')).click();
  await studio.one('close-inspector');
  await studio.absent('status-inspector');
}));

test('a restart with the same file keeps the window fallback', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  await machine.command.write(skill, PROMPT, LONG);
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.edit();
  await studio.press('Ctrl+End');
  await until(async () => (await studio.text()).includes('Line 200'), 'the end of the text');
  await until(async () => JSON.stringify(await machine.command.json('settings', 'list')).includes(PROMPT), 'the tabs to be kept');
  await studio.window.kill();
  const again = await machine.start();
  await again.one('tab', `[data-path="${PROMPT}"]`);
  await again.find('[data-testid="editor"] .cm-content');
  await stays(again);
}));

test('skills that are open in the tree are read again in another folder', onMachine(async (machine) => {
  const folder = await machine.place('folder');
  const studio = await machine.start();
  await studio.expand('[data-skill="consistency-checker"][data-kind="skill"]');
  await studio.one('tree-item', '[data-skill="consistency-checker"][data-path="SKILL.md"]');
  // The skill that the cursor is on is read for the inspector, too.
  await studio.expand('[data-skill="skill-reviewer"][data-kind="skill"]');
  await studio.run('Open sample workspace');
  await studio.one('tree-item', '[data-kind="section"][data-scope="workspace"]');
  await studio.one('tree-item', '[data-skill="consistency-checker"][data-scope="account"][data-path="SKILL.md"]');
  // And on the way back to one that was open before.
  await studio.run('Open folder');
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(folder);
  await until(async () => (await studio.words('[data-testid="palette-option"][aria-selected="true"]')).includes('folder'), 'the folder');
  await studio.press('Enter');
  await until(async () => (await studio.words('[data-testid="status-bar"]')).includes('folder'), 'the other folder');
  await studio.one('tree-item', '[data-skill="consistency-checker"][data-scope="account"][data-path="SKILL.md"]');
  assert.equal((await studio.allWords('[data-testid="tree-item"]')).some((words) => words.includes('Loading')), false);
}));

test('a divider or a tab that is dragged selects no text on its way, and no name covers where it is dropped', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  await machine.command.write(skill, PROMPT, LONG);
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.edit();
  const text = await middle(studio, '[data-testid="editor"] .cm-scroller');
  for (const from of ['[aria-label="Sidebar width"]', '[data-testid="tab"][aria-selected="true"]', '[data-testid="inspector"] header']) {
    const start = await middle(studio, from);
    const drag = () => studio.browser.action('pointer').move(start).down();
    await drag().move({ x: text.x, y: start.y + 60 }).move(text).move({ x: text.x + 80, y: text.y + 40 }).perform(true);
    assert.equal(await selected(studio), '', `dragged from ${from}`);
    const named = await studio.browser.execute(({ x, y }) => document.elementFromPoint(x, y)?.closest('[title]')?.getAttribute('title') ?? null, text);
    if (from.includes('tab')) assert.equal(named, null, 'a name would come up over the editor');
    await studio.press('Escape');
    await studio.browser.action('pointer').up().perform();
  }
  assert.notEqual(await (await studio.one('tab', '[aria-selected="true"]')).getAttribute('title'), null, 'afterwards it has its name again');
  // Where text can be selected, it still is.
  const line = await middle(studio, '[data-testid="editor"] .cm-line');
  await studio.browser.action('pointer').move(line).down().move({ x: line.x, y: line.y + 60 }).up().perform();
  await until(async () => (await selected(studio)) !== '', 'text of the editor to be selected');
}));

test('Ctrl+Shift+E goes from the settings to the tree, also when a comparison is in front', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.edit();
  await studio.type('x');
  await studio.unsaved(true);
  await studio.run('Compare with saved');
  await studio.one('comparison');
  await studio.find('[data-testid="comparison"] .cm-content');
  await studio.press('Ctrl+,');
  await studio.one('settings-general');
  await studio.press('Ctrl+Shift+E');
  await studio.find('[data-testid="comparison"] .cm-content');
  await studio.focused('tree');
  // Whoever goes back without asking for the tree isn't sent there.
  await studio.press('Ctrl+,');
  await studio.one('settings-general');
  await studio.run('Show editor');
  await studio.find('[data-testid="comparison"] .cm-content');
  await until(() => studio.browser.execute(() => document.activeElement?.closest('[data-testid="comparison"]') !== null), 'the focus in the comparison');
}));

test('the web view’s own menus don’t come up; text has the menu of this window', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.edit();
  const menu = async (/** @type {string} */ selector) => {
    const at = await middle(studio, selector);
    await studio.browser.action('pointer').move(at).down({ button: 2 }).up({ button: 2 }).perform();
  };
  await menu('[data-testid="editor"] .cm-line');
  await studio.shows('menu', 'Go to definition');
  await studio.shows('menu', 'Rename');
  await studio.press('Escape');
  await studio.focused('editor');
  // What is cut comes back with Paste, without the web view's own.
  await studio.rewrite('first\nsecond\n');
  await menu('[data-testid="editor"] .cm-line');
  await studio.click(await studio.find('[data-testid="menu"]').then((menu) => menu.$('span=Cut').getElement()));
  await until(async () => (await studio.text()) === 'second\n', async () => `the first line to be cut: ${await studio.text()}`);
  await menu('[data-testid="editor"] .cm-line:last-child');
  await studio.click(await studio.find('[data-testid="menu"]').then((menu) => menu.$('span=Paste').getElement()));
  await until(async () => /first/.test(await studio.text()), async () => `the line to be pasted: ${await studio.text()}`);
  // Elsewhere the page says that it has taken the event: then the web view shows nothing.
  const taken = await studio.browser.execute(() => {
    const places = ['[data-testid="preview-text"]', 'footer', '[data-testid="tree"]'];
    return places.map((selector) => {
      const place = document.querySelector(selector);
      const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
      place?.dispatchEvent(event);
      return [selector, place !== null && event.defaultPrevented];
    });
  });
  assert.deepEqual(taken.filter(([, prevented]) => !prevented), []);
}));
