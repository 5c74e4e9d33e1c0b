import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */
/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const SKILL = 'governed';
const PROMPT = 'prompts/greet.j2';
const ARTIFACTS = [{ path: 'SKILL.md', kind: 'description', name: 'Overview', ordinal: 0 }, { path: PROMPT, kind: 'prompt_template', name: 'Greet', ordinal: 1 }];
/** The comment, the order and the spacing are the person's own. */
const SKILL_JSON = `{\n  // kept as it is\n  "tags":   ["one"],\n  "artifacts": ${JSON.stringify(ARTIFACTS)}\n}\n`;

/**
 * A skill whose manifest form is open.
 * @param {(machine: Machine, studio: Studio, base: string) => Promise<void>} test  `base` is skill.json as it is stored
 */
function withForm(test) {
  return onMachine(async (machine) => {
    const folder = join(await machine.place('skills'), SKILL);
    await mkdir(join(folder, 'prompts'), { recursive: true });
    await writeFile(join(folder, 'SKILL.md'), `---\nname: ${SKILL}\ndescription: Greets a person by name. Use it when someone has to be greeted.\n---\n\nGreet them.\n`);
    await writeFile(join(folder, PROMPT), 'Greet {{ name }}.\n');
    await writeFile(join(folder, 'skill.json'), SKILL_JSON);
    await machine.command.json('import', folder);
    const studio = await machine.start();
    await studio.open(SKILL, 'SKILL.md');
    await studio.run('Edit manifest');
    await studio.one('tab', '[data-path="skill.json"][aria-selected="true"]');
    await studio.focused('manifest-form');
    await studio.one('manifest-group', '[data-group="requirements"]');
    await test(machine, studio, await machine.command.read(SKILL, 'skill.json'));
  });
}

/** The JSON as the editor has it. @param {Studio} studio */
async function json(studio) {
  await studio.run('Toggle form and JSON');
  await studio.find('[data-testid="editor"] .cm-content');
  const text = await studio.text();
  await studio.run('Toggle form and JSON');
  await studio.focused('manifest-form');
  return text;
}

/** The values of a list's fields. @param {Studio} studio @param {string} list */
const values = (studio, list) =>
  studio.browser.execute((name) => [...document.querySelectorAll(`[data-list="${name}"] input`)].map((field) => (field instanceof HTMLInputElement ? field.value : '')), list);

/** @param {Studio} studio @param {string} list @param {string[]} wanted */
const hasValues = (studio, list, wanted) => until(async () => JSON.stringify(await values(studio, list)) === JSON.stringify(wanted), async () => `${wanted.join(', ')} in ${list}, which has ${(await values(studio, list)).join(', ')}`);

/** Opens a group by keyboard and adds to a list. @param {Studio} studio @param {string} group @param {string} label */
async function add(studio, group, label) {
  const head = await studio.find(`[data-group="${group}"] button[aria-expanded]`);
  if ((await head.getAttribute('aria-expanded')) === 'false') await studio.click(head);
  await studio.button(label, `[data-group="${group}"]`);
}

/** The text with a manifest at its end. @param {string} base @param {object} manifest */
function withManifest(base, manifest) {
  const written = JSON.stringify({ manifest }, null, 2).split('\n').join('\n  ');
  return base.replace(/\n\}\n$/, `,\n  "metadata": ${written}\n}\n`);
}

test('the form edits the JSON by keyboard, keeps the rest of it, and undoes in the same history', withForm(async (machine, studio, base) => {
  assert.match(base, /\/\/ kept as it is\n {2}"tags": {3}\["one"\]/);
  await studio.shows('manifest-summary', 'Nothing declared yet.');
  // "Check again" comes first, then the groups.
  await studio.press('Tab');
  await studio.press('Tab');
  await studio.press('Enter');
  await studio.press('Tab');
  await studio.press('Enter');
  await hasValues(studio, 'requiredTools', ['']);
  await studio.type('read_sk');
  await studio.find('[data-list="requiredTools"] [role="option"]');
  await studio.press('Down');
  await studio.press('Enter');
  await hasValues(studio, 'requiredTools', ['read_skill']);
  await studio.press('Enter');
  await hasValues(studio, 'requiredTools', ['read_skill', '']);
  await studio.type('read_skil');
  await hasValues(studio, 'requiredTools', ['read_skill', 'read_skil']);
  await studio.shows('manifest-summary', '2 required tools.');
  await studio.unsaved(true);

  await studio.press('Alt+Up');
  await hasValues(studio, 'requiredTools', ['read_skil', 'read_skill']);
  await studio.press('Ctrl+Z');
  await hasValues(studio, 'requiredTools', ['read_skill', 'read_skil']);
  assert.equal(await json(studio), withManifest(base, { version: 1, requiredTools: ['read_skill', 'read_skil'] }));

  // What is written as JSON is in the form, and undo goes back through both.
  await studio.run('Toggle form and JSON');
  await studio.rewrite(withManifest(base, { version: 1, requiredTools: ['get_page'] }));
  await studio.run('Toggle form and JSON');
  await studio.focused('manifest-form');
  await hasValues(studio, 'requiredTools', ['get_page']);
  await studio.press('Ctrl+Z');
  await hasValues(studio, 'requiredTools', ['read_skill', 'read_skil']);
  // Typing is one step.
  await studio.press('Ctrl+Z');
  await hasValues(studio, 'requiredTools', ['read_skill', '']);
  for (let step = 0; step < 12 && (await values(studio, 'requiredTools')).length > 0; step++) await studio.press('Ctrl+Z');
  await hasValues(studio, 'requiredTools', []);
  assert.equal(await json(studio), base);
  await studio.unsaved(false);
}));

test('readiness says what is missing and what to do about it, and a diagnostic stands beside its field', withForm(async (machine, studio) => {
  await studio.shows('readiness', 'Ready. Nothing is required.');
  await add(studio, 'requirements', 'Add tool');
  await studio.type('read_skill\nread_skil');
  await hasValues(studio, 'requiredTools', ['read_skill', 'read_skil']);
  // The suggestions lie over the next group.
  await studio.press('Escape');
  await studio.shows('readiness-saved', 'Save to check your changes.');
  await studio.save();
  await studio.one('readiness', '[data-ready="false"]');
  await studio.one('requirement', '[data-name="read_skill"][data-status="ok"]');
  await studio.shows('requirement', /read_skil[\s\S]*No tool has this name\. Use "read_skill" if that is meant\./);

  await add(studio, 'forbidden', 'Add tool');
  await studio.type('read_skill');
  await studio.press('Escape');
  await until(async () => /both required and forbidden/.test(await studio.words('[data-list="forbiddenTools"] [data-row="0"]')), 'the diagnostic beside the forbidden tool');
  assert.doesNotMatch(await studio.words('[data-list="requiredTools"]'), /forbidden/);
  await studio.shows('manifest-group', /Forbidden tools\s+1 tool · 1 problem/);
  await add(studio, 'gates', 'Add gate');
  await studio.shows('manifest-group', /"label" is empty/);
  await (await studio.find('[data-list="humanGates"] [data-field="label"] input')).click();
  await studio.type('Read the draft');
  await (await studio.find('[data-list="humanGates"] [data-field="when"] select')).selectByVisibleText('After draft');
  await studio.save();
  assert.match(await machine.command.read(SKILL, 'skill.json'), /"key": "gate-1",\s+"label": "Read the draft",\s+"when": "after_draft"/);
  await studio.shows('manifest-group', /Steps\s+None · not executed/);

  // Broken JSON is reported with its line, and the form waits.
  await studio.run('Toggle form and JSON');
  const text = await studio.text();
  await studio.rewrite(text.replace('"version": 1,', '"version" 1,'));
  await studio.run('Toggle form and JSON');
  await studio.shows('manifest-obstacle', /Colon expected at line \d+, column \d+\. The form is read-only until that’s corrected\./);
  assert.equal(await studio.count('[data-list="requiredTools"] input:not(:disabled)'), 0);
  await hasValues(studio, 'requiredTools', ['read_skill', 'read_skil']);
  await (await studio.find('[data-testid="manifest-obstacle"] button')).click();
  await studio.focused('editor');
  await studio.press('Ctrl+Z');
  await studio.run('Toggle form and JSON');
  await studio.absent('manifest-obstacle');
}));

test('a page is attached as reference material, beside the JSON', withForm(async (machine, studio) => {
  const folder = await machine.place('notes');
  await mkdir(join(folder, 'people'), { recursive: true });
  await writeFile(join(folder, 'people', 'mara.md'), '---\ntitle: Mara Venn\n---\nKeeps the lighthouse.\n');
  await studio.run('Open folder');
  await studio.focused('folder-input');
  await studio.press('Ctrl+A');
  await studio.paste(folder);
  await studio.press('Enter');
  await studio.shows('status-workspace', 'notes');
  await studio.open(SKILL, 'SKILL.md');
  await studio.run('Edit manifest');
  await studio.focused('manifest-form');
  await studio.run('Attach page or file to manifest');
  await studio.one('reference-palette');
  await studio.choose('Mara Venn');
  await studio.absent('reference-palette');
  await studio.focused('manifest-form');
  await studio.one('manifest-binding', '[data-kind="entity"][data-target="people/mara"]');
  await studio.run('Attach page or file to manifest');
  await studio.choose('greet.j2');
  await studio.absent('reference-palette');
  await studio.one('manifest-binding', `[data-kind="document"][data-target="${PROMPT}"]`);
  await add(studio, 'requirements', 'Add integration');
  await studio.type('anthropic');
  await studio.save();
  assert.match(await machine.command.read(SKILL, 'skill.json'), /"targetKind": "entity",\s+"targetRef": "people\/mara",\s+"relationshipType": "references"/);
  await studio.shows('requirement', /anthropic[\s\S]*Set up models/);
  await studio.pictures('manifest');

  await studio.run('Show form and JSON side by side');
  await until(async () => (await studio.count('[data-testid="group"]')) === 2, 'two editors');
  await studio.one('editor', '[data-active="true"] .cm-content');
  await studio.focused('editor');
  await studio.press('Ctrl+F');
  await studio.type('people/mara');
  await studio.press('Enter');
  await studio.press('Escape');
  await studio.type('people/mara-venn');
  await studio.one('manifest-binding', '[data-kind="entity"][data-target="people/mara-venn"]');
  await studio.pictures('manifest-beside');
}));
