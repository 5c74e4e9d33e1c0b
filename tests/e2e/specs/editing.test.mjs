import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { scrolledParts } from '../harness/axe.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const PROMPT = 'prompts/check-prompt.j2';

test('editing a prompt: the preview follows the typing, and saving makes a revision', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const before = await machine.command.revision(skill);
  const studio = await machine.start();
  await studio.open(skill, PROMPT);

  await (await studio.find('[data-variable="entity_name"]')).click();
  const field = await studio.find('[data-variable="entity_name"] input, [data-variable="entity_name"] textarea, input[data-variable="entity_name"], textarea[data-variable="entity_name"]');
  await field.click();
  await studio.press('Ctrl+A');
  await studio.type('Aria Vale');
  await studio.shows('preview', 'Aria Vale');

  await studio.edit();
  await studio.press('Ctrl+Home');
  await studio.type('Begin with care. ');
  await studio.unsaved(true);
  await studio.shows('preview', /Begin with care\.[\s\S]*Aria Vale/);
  assert.equal(await machine.command.revision(skill), before, 'typing is no revision');

  await studio.save();
  const history = await machine.command.history(skill);
  assert.equal(history[0].number, before + 1);
  assert.deepEqual(history[0].changed.map(({ path, change }) => [path, change]), [[PROMPT, 'modified']]);
  assert.match(await machine.command.read(skill, PROMPT), /^Begin with care\. You are checking/);
}));

test('a locked skill is duplicated to edit it', onMachine(async (machine) => {
  const studio = await machine.start();
  await studio.open('consistency-checker', PROMPT);
  await studio.shows('locked', /locked/i);
  await studio.edit();
  await studio.type('never');
  assert.doesNotMatch(await studio.text(), /never/);

  await studio.button('Duplicate to edit');
  const copy = 'consistency-checker-copy';
  await studio.one('tree-item', `[data-skill="${copy}"][data-scope="account"]`);
  await until(async () => (await machine.command.json('skill', 'list')).skills.some((/** @type {{ slug: string }} */ one) => one.slug === copy), 'the copy in the catalog');
  await studio.open(copy, PROMPT);
  await studio.edit();
  await studio.press('Ctrl+Home');
  await studio.type('Mine: ');
  await studio.save();
  assert.match(await machine.command.read(copy, PROMPT), /^Mine: /);
  assert.doesNotMatch(await machine.command.read('consistency-checker', PROMPT), /^Mine: /);
}));

test('a broken template is marked with its line', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.rewrite('first line\n{% for claim in claims %}\n{{ claim }\n');
  await studio.find('[data-testid="editor"] .cm-lintRange-error, [data-testid="editor"] .cm-lint-marker-error');
  if ((await studio.count('[data-testid="problems"]')) === 0) await studio.run('Toggle problems');
  await studio.shows('problem-group', /prompts\/check-prompt\.j2/);
  await studio.shows('problem', /(^|\D)3:\d+/);

  await studio.rewrite('first line\n{% for claim in claims %}\n{{ claim }}\n{% endfor %}\n');
  await until(async () => (await studio.count('[data-testid="editor"] .cm-lintRange-error')) === 0, 'the mark to go');
}));

test('a kill loses no typing: the draft is there after the restart', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const before = await machine.command.revision(skill);
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await studio.edit();
  await studio.press('Ctrl+Home');
  await studio.type('Unsaved thought. ');
  await studio.unsaved(true);
  // The promise is a second; what is kept is asked of the Studio itself.
  await until(
    async () => (await studio.count('[data-testid="save-state"][data-draft="kept"]')) === 1,
    'the draft to be kept',
  );
  await studio.window.kill();

  const again = await machine.start();
  const tab = await again.one('tab', `[data-path="${PROMPT}"]`);
  await tab.click();
  await until(async () => (await again.text()).startsWith('Unsaved thought. '), 'the draft in the editor');
  await again.unsaved(true);
  assert.equal(await machine.command.revision(skill), before);
  await again.edit();
  await again.save();
  assert.match(await machine.command.read(skill, PROMPT), /^Unsaved thought\. You are/);
}));

/** Long lines that each begin with their number. */
const NUMBERED = Array.from({ length: 120 }, (_, at) => `${at + 1}. ${'What is said here goes on for a while, '.repeat(2 + (at % 7))}and ends.`).join('\n');

/** Which of the line numbers on the screen stand beside their line, and which don't. @param {Studio} studio */
const numbersOf = (studio) => studio.browser.execute(() => {
  const shown = (/** @type {string} */ selector) => [...document.querySelectorAll(`[data-testid="editor"] ${selector}`)].filter((one) => one.getBoundingClientRect().height > 0);
  const lines = new Map(shown('.cm-line').map((line) => [parseInt(line.textContent ?? ''), Math.round(line.getBoundingClientRect().top)]));
  const pairs = shown('.cm-lineNumbers .cm-gutterElement').flatMap((number) => {
    const line = lines.get(parseInt(number.textContent ?? ''));
    return line === undefined ? [] : [{ number: number.textContent, at: Math.round(number.getBoundingClientRect().top), line }];
  });
  return { beside: pairs.filter(({ at, line }) => Math.abs(at - line) <= 1).length, astray: pairs.filter(({ at, line }) => Math.abs(at - line) > 1) };
});

test('line numbers stand beside their lines, whatever changes the size of the editor', onMachine(async (machine) => {
  const place = join(await machine.place('import'), 'long-lines');
  await mkdir(join(place, 'references'), { recursive: true });
  await writeFile(join(place, 'SKILL.md'), '---\nname: long-lines\ndescription: Has a text with long lines, for looking at them. Use it for nothing.\n---\n\nRead the text.\n');
  await writeFile(join(place, 'references/long.md'), NUMBERED);
  await machine.command.json('import', place);
  const studio = await machine.start();
  await studio.open('long-lines', 'references/long.md');
  await studio.edit();
  const beside = async (/** @type {string} */ when) => until(
    async () => {
      const { beside, astray } = await numbersOf(studio);
      return astray.length === 0 && beside >= 4;
    },
    async () => `the numbers beside their lines ${when}: ${JSON.stringify(await numbersOf(studio))}`,
    { deadline: 5_000 },
  );
  const width = async () => (await (await studio.find('[data-testid="editor"] .cm-content')).getSize()).width;
  await beside('at first');
  for (const [wide, high] of [[900, 600], [1280, 800], [1000, 700], [1280, 800]]) {
    const before = await width();
    await studio.window.resize(wide, high);
    await until(async () => (await width()) !== before, 'the text to have another width');
    await beside(`at ${wide}x${high}`);
  }
  // In the moment after a key the view takes a new size for its own doing.
  for (let time = 1; time <= 6; time++) {
    const before = await width();
    await studio.browser.action('key').down('x').up('x').down('\uE009').down('b').up('b').up('\uE009').perform();
    await until(async () => (await width()) !== before, 'the text to have another width');
    await beside(`after the side panel came or went ${time} times`);
  }
}));

/** A prompt and a text in which lines are written from right to left, and one that is mixed. */
const HEBREW = 'שלום {{ name }}, זהו טקסט בעברית.';
const ARABIC = 'هذا نص باللغة العربية.';
const MIXED = 'The word שלום means peace.';

test('texts from right to left stand at the right, each line by its own letters', onMachine(async (machine) => {
  const place = join(await machine.place('import'), 'right-to-left');
  await mkdir(join(place, 'prompts'), { recursive: true });
  await writeFile(join(place, 'SKILL.md'), `---\nname: right-to-left\ndescription: ${ARABIC}\n---\n\n${HEBREW.replace('{{ name }}', 'Ada')}\n\n${MIXED}\n`);
  await writeFile(join(place, 'prompts/greet.j2'), `${HEBREW}\n${MIXED}\nPlain English.\n`);
  await writeFile(join(place, 'skill.json'), JSON.stringify({ artifacts: [{ path: 'SKILL.md', kind: 'description', name: 'Overview', ordinal: 0 }, { path: 'prompts/greet.j2', kind: 'prompt_template', name: 'Greet', ordinal: 1 }] }));
  await machine.command.json('import', place);
  const studio = await machine.start();
  await studio.open('right-to-left', 'prompts/greet.j2');
  const lines = () => studio.browser.execute(() => [...document.querySelectorAll('[data-testid="editor"] .cm-line')].map((line) => {
    const range = document.createRange();
    range.selectNodeContents(line);
    const [box, text] = [line.getBoundingClientRect(), range.getBoundingClientRect()];
    return { way: getComputedStyle(line).direction, right: box.right - text.right < text.left - box.left };
  }));
  await until(async () => (await lines())[0]?.way === 'rtl', async () => `the first line from right to left: ${JSON.stringify(await lines())}`);
  assert.deepEqual((await lines()).slice(0, 3), [{ way: 'rtl', right: true }, { way: 'ltr', right: false }, { way: 'ltr', right: false }]);
  // The tag is read as one piece from left to right: its first brace is on its left.
  const tag = await studio.browser.execute(() => {
    const found = document.querySelector('[data-testid="editor"] .cm-isolated');
    return { text: found?.textContent, way: found && getComputedStyle(found).direction };
  });
  assert.deepEqual(tag, { text: '{{ name }}', way: 'ltr' });

  // Going left in such a line goes on in its text.
  await studio.edit();
  await studio.press('Ctrl+Home');
  await studio.press('Left');
  await studio.shows('status-bar', /Ln 1, Col 2/);

  // What is typed into the form, and what is rendered of the whole.
  const field = await studio.find('[data-testid="preview"] [data-variable="name"]');
  await field.click();
  await studio.paste('דנה');
  assert.equal(await studio.browser.execute(() => {
    const typed = document.querySelector('[data-testid="preview"] [data-variable="name"]');
    return typed && getComputedStyle(typed).direction;
  }), 'rtl');
  // The rendered prompt has each line in its own direction, too: the Hebrew one ends where its box does.
  await studio.shows('preview-text', 'דנה');
  const [first, box] = /** @type {any[]} */ (await studio.browser.execute(() => {
    const text = document.querySelector('[data-testid="preview-text"]');
    const node = text && document.createTreeWalker(text, NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    if (node) range.setStart(node, 0);
    if (node) range.setEnd(node, 1);
    return [range.getBoundingClientRect().toJSON(), text?.getBoundingClientRect().toJSON()];
  }));
  assert.ok(box.right - first.right < first.left - box.left, JSON.stringify({ first, box }));
  await studio.open('right-to-left', 'SKILL.md');
  const paragraphs = () => studio.browser.execute(() => [...document.querySelectorAll('[data-testid="inspector"] .markdown p')].map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const [box, text] = [one.getBoundingClientRect(), range.getBoundingClientRect()];
    return text.left - box.left > box.right - text.right;
  }));
  await until(async () => (await paragraphs()).length >= 2, 'the rendered text');
  assert.deepEqual((await paragraphs()).slice(-2), [true, false]);
}));

test('after a variable got another name, its value is in the form', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  await machine.command.write(skill, PROMPT, 'Check {{ topic }} well.\n');
  const studio = await machine.start();
  await studio.open(skill, PROMPT);
  await (await studio.find('[data-testid="preview"] [data-variable="topic"]')).click();
  await studio.paste('Tides');
  await studio.shows('preview-text', 'Check Tides well.');
  await studio.edit();
  await studio.press('Ctrl+Home');
  for (let step = 0; step < 11; step++) await studio.press('Right');
  await studio.press('F2');
  await studio.find('[data-testid="rename-name"]');
  await studio.press('Ctrl+A');
  await studio.type('subject');
  await studio.press('Enter');
  await until(async () => (await studio.text()).includes('{{ subject }}'), async () => `the other name: ${await studio.text()}`);
  await studio.shows('preview-text', 'Check Tides well.');
}));

test('a table in a narrow preview keeps its words whole', onMachine(async (machine) => {
  const skill = await machine.command.fork('consistency-checker');
  const row = '| Consistency | The first description of it | Another description | Something else again |';
  await machine.command.write(skill, 'notes.md', `# Notes\n\n| Name | What it is | What it was | Remarks |\n| --- | --- | --- | --- |\n${row}\n${row}\n`);
  const studio = await machine.start();
  await studio.window.resize(1000, 700);
  await studio.open(skill, 'notes.md');
  await studio.find('[data-testid="inspector"] .markdown td');
  const heights = await studio.browser.execute(() => [...document.querySelectorAll('[data-testid="inspector"] .markdown td:first-child')].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length;
  }));
  assert.deepEqual(heights, [1, 1], 'a word is on one line');
  assert.deepEqual(await scrolledParts(studio.browser), []);
}));
