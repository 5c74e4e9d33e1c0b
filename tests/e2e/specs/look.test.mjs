import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';
import { enter, leave, PLACES, ready } from '../tours/places.mjs';

for (const theme of /** @type {const} */ (['light', 'dark'])) {
  test(`pictures of every place in ${theme}`, onMachine(async (machine) => {
    const studio = await ready(machine);
    await studio.run(`${theme} theme`);
    /** @type {Map<string, string>} */
    const seen = new Map();
    /** @type {string[]} */
    const same = [];
    for (const place of PLACES) {
      await enter(studio, place);
      await studio.pictures(place.name, theme);
      const digest = createHash('sha256').update((await studio.picture()).rgb).digest('hex');
      if (seen.has(digest)) same.push(`${place.name} looks like ${seen.get(digest)}`);
      seen.set(digest, place.name);
      await leave(studio, place);
    }
    assert.deepEqual(same, [], 'each place looks like itself');
  }));
}

for (const theme of /** @type {const} */ (['light', 'dark'])) {
  test(`pictures in ${theme}`, onMachine(async (machine) => {
    const studio = await machine.start();
    await studio.run(`${theme} theme`);
    const dark = () => studio.browser.execute(() => getComputedStyle(document.documentElement).colorScheme.includes('dark'));
    await until(async () => (await dark()) === (theme === 'dark'), `the ${theme} theme`);
    await studio.pictures('first-start', theme);

    await studio.run('Open sample workspace');
    await studio.one('tree-item', '[data-kind="section"][data-scope="workspace"]');
    await studio.open('consistency-checker', 'prompts/check-prompt.j2');
    await studio.one('preview');
    await studio.pictures('editing', theme);
    const light = average((await studio.picture()).rgb);
    assert.ok(theme === 'dark' ? light < 96 : light > 160, `mean brightness ${light.toFixed(0)}`);

    await studio.press('Ctrl+Shift+P');
    await studio.one('palette');
    await studio.pictures('palette', theme);
    await studio.press('Escape');
    await studio.absent('palette');

    await studio.button('Info');
    await studio.pictures('info', theme);
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
    await studio.pictures('problems', theme);
    await studio.run('Toggle problems');
    await studio.absent('problems');

    await studio.run('New file');
    await studio.one('new-file');
    await studio.pictures('new-file', theme);
    await studio.press('Escape');
    await studio.absent('new-file');

    await studio.run('Open settings');
    await studio.pictures('settings', theme);
    await studio.run('Set script limits');
    await (await studio.find('[data-limit="seconds"] input')).click();
    await studio.press('Ctrl+A');
    await studio.type('0');
    await studio.press('Tab');
    await studio.focused('script-limit');
    await studio.pictures('settings-scripts', theme);
    await studio.run('Set run retention');
    await (await studio.find('[data-limit="days"] input')).click();
    await studio.press('Ctrl+A');
    await studio.type('30\n');
    await studio.pictures('settings-runs', theme);
  }));
}

for (const theme of /** @type {const} */ (['light', 'dark'])) {
  test(`pictures of pages in ${theme}`, onMachine(async (machine) => {
    const studio = await machine.start();
    await studio.run(`${theme} theme`);
    await studio.run('Show pages');
    await studio.one('pages-closed');
    await studio.pictures('pages-closed', theme);
    await studio.button('Open sample workspace', '[data-testid="pages-closed"]');
    await studio.one('page-row');
    await studio.run('Show link problems');
    await studio.shows('link-problems', /line \d/);
    await studio.pictures('pages', theme);
    await studio.run('Go to page');
    await studio.one('palette-option');
    await studio.pictures('pages-palette', theme);
    await studio.choose('Mara Venn');
    await studio.one('page', '[data-slug="characters/mara-venn"]');
    await studio.shows('page-history', /ago|now|Nothing|20\d\d/);
    await studio.pictures('page', theme);
    await studio.run('Search pages');
    await studio.focused('page-search');
    await studio.type('ledger lam');
    await until(async () => (await studio.allWords('[data-testid="page-row"]')).some((words) => /ledger/i.test(words)), 'hits');
    await studio.pictures('pages-search', theme);
  }));
}

for (const theme of /** @type {const} */ (['light', 'dark'])) {
  test(`pictures of a script in ${theme}`, onMachine(async (machine) => {
    const folder = join(await machine.place('skills'), 'auditor');
    await mkdir(join(folder, 'scripts'), { recursive: true });
    await writeFile(join(folder, 'SKILL.md'), '---\nname: auditor\ndescription: Audits a folder. Use it to see how a script runs.\n---\n\nAudit with care.\n');
    await writeFile(join(folder, 'scripts/audit.py'), AUDIT);
    await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: 'scripts/audit.py', kind: 'code_template', name: 'Audit', ordinal: 1 }] }));
    await machine.command.json('import', folder);
    const studio = await machine.start();
    await studio.run(`${theme} theme`);
    await studio.open('auditor', 'scripts/audit.py');
    await studio.press('Ctrl+Enter');
    await studio.one('run-result', '[data-status="error"]');
    await (await studio.find('[data-testid="limits"] button')).click();
    await studio.pictures('script', theme);
    await studio.button('Open in Runs');
    await studio.one('trace');
    await studio.pictures('script-trace', theme);
    await (await studio.find('[data-testid="trace"] button[data-line]')).click();
    await studio.edit();
    await studio.press('Ctrl+End');
    await studio.type('inklings.get');
    await studio.find('.cm-completionInfo');
    await studio.pictures('script-editing', theme);
  }));
}

const AUDIT = `import inklings

NAMES = ["mara-venn", "old-bastian", "renna-voss"]


def age(name):
    ages = {"mara-venn": 27, "old-bastian": 71}
    return ages[name]


for place, name in enumerate(NAMES):
    inklings.progress(place / len(NAMES), f"Looking at {name}")
    print(f"{name} is {age(name)}")
`;
const FOUND = JSON.stringify({ contradictions: [{ entity: 'Aria', attribute: 'age', claims: [1, 2], pages: ['aria-voss', 'timeline'], explanation: 'She is 30 in one place, and was born 41 years ago in the other.', severity: 'high', suggested_fix: 'Change the year of birth.' }] });
const CLAIMS = JSON.stringify([{ page_name: 'aria-voss', text: 'Aria is 30.' }, { page_name: 'timeline', text: 'Aria was born 41 years ago.' }]);

for (const theme of /** @type {const} */ (['light', 'dark'])) {
  test(`pictures of runs in ${theme}`, onMachine(async (machine) => {
    const model = await Model.start(
      { when: { user: 'Answer yes or no' }, repeat: 0, then: { reply: { text: 'yes' } } },
      { when: { model: 'small' }, then: { reply: { text: FOUND, usage: { input: 812, output: 96 } } } },
      { when: { model: 'large' }, then: { reply: { text: FOUND.replace('high', 'medium').replace('41', '40'), usage: { input: 812, output: 103 } } } },
    );
    try {
      await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small', '--model', 'large');
      const studio = await machine.start();
      await studio.run(`${theme} theme`);
      await studio.open('consistency-checker', 'prompts/check-prompt.j2');
      await studio.button('Run', '[data-testid="inspector"]');
      await (await studio.find('[data-testid="run-panel"] [data-variable="entity_name"]')).click();
      await studio.press('Ctrl+A');
      await studio.paste('Aria');
      await studio.button('Edit claims as JSON', '[data-testid="run-panel"]');
      await (await studio.find('[data-testid="run-panel"] textarea[data-variable="claims"]')).click();
      await studio.press('Ctrl+A');
      await studio.paste(CLAIMS);
      await studio.button('Edit claims as form', '[data-testid="run-panel"]');
      await studio.shows('run-estimate', /tokens/);
      await studio.pictures('run-ready', theme);
      await studio.press('Ctrl+Enter');
      await studio.one('run-result', '[data-state="ended"]');
      await studio.pictures('run', theme);

      await studio.button('Open in Runs');
      await studio.one('trace-output');
      await studio.pictures('runs', theme);
      await studio.button('Replay with…');
      await studio.choose('scripted/large');
      await studio.one('replayed');
      await studio.button('Compare with original');
      await studio.find('.cm-mergeView');
      await studio.pictures('compare', theme);
      await studio.run('Show usage');
      await studio.find('[data-testid="chart"] canvas');
      await studio.pictures('usage', theme);

      await studio.run('Set up models');
      await (await studio.one('test-provider')).click();
      await studio.shows('test-result', /answered/);
      await studio.pictures('models', theme);
      await (await studio.one('add-provider')).click();
      await studio.one('provider-form');
      await studio.pictures('provider', theme);
    } finally {
      await model.end();
    }
  }));
}

for (const theme of /** @type {const} */ (['light', 'dark'])) {
  test(`pictures of a run that called others in ${theme}`, onMachine(async (machine) => {
    const model = await Model.start(
      { when: { model: 'small' }, repeat: 0, then: { reply: { text: 'Good day.', usage: { input: 1_204, output: 9 } } } },
      { repeat: 0, then: { reply: { text: 'Good day.', usage: { input: 812, output: 6 } } } },
    );
    try {
      await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small', '--model', 'large', '--price', 'small=1,10');
      for (const [slug, path, kind, text] of /** @type {const} */ ([
        ['greeter', 'prompts/greet.j2', 'prompt_template', 'Greet {{ name }} in one sentence.\n'],
        ['welcome-committee', 'scripts/welcome.py', 'code_template', 'import inklings\n\nfor name in ("Mara", "Bastian", "Renna"):\n    inklings.run_skill("greeter", {"name": name})\ninklings.submit(inklings.llm_query("Say goodbye."))\n'],
      ])) {
        const folder = join(await machine.place('skills'), slug);
        await mkdir(join(folder, path, '..'), { recursive: true });
        await writeFile(join(folder, 'SKILL.md'), `---\nname: ${slug}\ndescription: Greets who comes. Use it when someone comes in.\n---\n\nGreet warmly.\n`);
        await writeFile(join(folder, path), text);
        await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path, kind, name: 'Welcome', ordinal: 1 }] }));
        await machine.command.json('import', folder);
      }
      await machine.command.json('run', 'greeter', '--param', 'name=Old Bastian', '--model', 'scripted/large');
      const studio = await machine.start();
      await studio.run(`${theme} theme`);
      await studio.open('welcome-committee', 'scripts/welcome.py');
      await studio.press('Ctrl+Enter');
      await studio.one('run-result', '[data-status="ok"]');
      await studio.button('Open in Runs');
      await studio.one('called-run');
      await studio.pictures('run-called', theme);
      await studio.run('Show usage');
      await studio.button('Cost', '[data-testid="usage"]');
      await studio.button('By model', '[data-testid="usage"]');
      await studio.shows('usage-total', /at least \$/);
      await studio.pictures('usage-unpriced', theme);
    } finally {
      await model.end();
    }
  }));
}

const THINGS = ['the sky', 'the sea', 'a sapphire', 'a cornflower', 'ink', 'denim', 'a peacock', 'a blueberry'];
const PROGRAM = `{
  "template_id": "chain_of_thought",
  "signature": "question: str, context: list[str] -> answer: str",
  "instructions": "Name the colour that most people would name. One word, no shade."
}
`;
/** Answers in so many milliseconds. @param {number} delay */
const answers = (delay) => [
  // Whoever is shown how to do it does it right.
  { when: { anywhere: 'Most people say blue.' }, repeat: 0, then: { reply: { text: COLOUR, delay_ms: delay, usage: { input: 402, output: 22 } } } },
  { when: { user: 'peacock' }, repeat: 0, then: { reply: { text: COLOUR.replace('\nblue\n', '\ngreen\n'), delay_ms: delay, usage: { input: 231, output: 24 } } } },
  { repeat: 0, then: { reply: { text: COLOUR, delay_ms: delay, usage: { input: 228, output: 22 } } } },
];
const COLOUR = '[[ ## reasoning ## ]]\nMost people say blue.\n\n[[ ## answer ## ]]\nblue\n\n[[ ## completed ## ]]';
const STEPS = answers(150);
/** As long as pictures take. */
const SLOW = answers(5_000);

for (const theme of /** @type {const} */ (['light', 'dark'])) {
  test(`pictures of a DSPy program in ${theme}`, onMachine(async (machine) => {
    const model = await Model.start(...STEPS);
    try {
      const folder = join(await machine.place('skills'), 'colours');
      await mkdir(join(folder, 'dspy'), { recursive: true });
      await writeFile(join(folder, 'SKILL.md'), '---\nname: colours\ndescription: Names the colour of a thing. Use it when someone asks what colour something has.\n---\n\nName one colour.\n');
      await writeFile(join(folder, 'dspy/colour.json'), PROGRAM);
      await writeFile(join(folder, 'dspy/older.json'), PROGRAM);
      await writeFile(join(folder, 'dspy/older.state.json'), JSON.stringify({ dspy: '3.1.0', template_id: 'chain_of_thought', state: { 'predict.predict': { demos: [{ question: 'grass', context: ['It grows.'], reasoning: 'Grass is green.', answer: 'green' }], signature: { instructions: 'Name a colour.', fields: [] }, lm: null } } }));
      const module = (/** @type {string} */ name, /** @type {number} */ ordinal, more = {}) => ({ path: `dspy/${name.toLowerCase()}.json`, kind: 'dspy_module', name, ordinal, ...more });
      await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: 'SKILL.md', kind: 'description', name: 'Overview', ordinal: 0 }, module('Colour', 1), module('Older', 2, { state: 'dspy/older.state.json' })] }));
      await machine.command.json('import', folder);
      await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small');
      const studio = await machine.start();
      await studio.run(`${theme} theme`);
      // At the start already: which version ships is known without the process.
      await studio.shows('toast', /another DSPy version/);
      await studio.pictures('outdated-toast', theme, { toasts: true });
      await studio.clearToasts();
      await studio.run('Show proposals');
      await studio.one('proposals-empty');
      await studio.pictures('proposals-empty', theme);
      await studio.run('Show editor');

      await studio.openTab('colours', 'dspy/colour.json');
      await studio.shows('templates', 'Best of N');
      await studio.pictures('program', theme);
      await (await studio.find('[data-side="inputs"] [data-name="context"] .name')).click();
      await studio.press('Ctrl+A');
      await studio.type('question');
      await (await studio.find('[data-testid="templates"] input[value="best_of_n"]')).click();
      await studio.one('program-parameters');
      await studio.pictures('program-problem', theme);
      await studio.run('Discard unsaved changes');
      await studio.clearToasts();

      await studio.button('Run', '[data-testid="inspector"]');
      await (await studio.find('[data-testid="run-panel"] [data-variable="question"]')).click();
      await studio.paste('What colour is the sky?');
      await studio.button('Add item', '[data-testid="run-panel"]');
      await studio.paste('It is noon.');
      await studio.press('Ctrl+Enter');
      await studio.one('run-result', '[data-status="ok"]');
      await studio.pictures('program-run', theme);

      await studio.run('Optimize DSPy module');
      await studio.button('Pasted lines', '[data-testid="optimize-panel"]');
      await (await studio.one('examples-lines')).click();
      await studio.paste([...THINGS.map((thing) => JSON.stringify({ question: `What colour is ${thing}?`, context: ['Noon.'], answer: 'blue' })), '{"question": "And this?"}'].join('\n'));
      await studio.shows('examples-found', /8 examples/);
      await studio.pictures('optimize', theme);
      await (await studio.one('optimize-minutes')).click();
      await studio.pictures('optimize-limits', theme);
      const optimizer = await studio.one('optimizer');
      // The last picture was scrolled to the end of the form.
      await optimizer.scrollIntoView({ block: 'center' });
      await optimizer.selectByVisibleText('Bootstrap few-shot with random search');
      await studio.shows('optimize-problem', /creates a proposal/);
      await (await studio.one('optimize-start')).click();
      await studio.one('scores');
      await model.script(...SLOW);
      await studio.pictures('optimizing', theme);
      assert.equal(await studio.count('[data-testid="search"][data-state="running"]'), 1, 'it goes on in its pictures');
      await model.script(...STEPS);
      await studio.one('search', '[data-proposal]');
      await studio.pictures('optimized', theme);
      await studio.button('Review proposal');
      await studio.one('predictor-change');
      await studio.pictures('proposals', theme);
      await studio.run('Accept proposal');
      await studio.one('decide');
      await studio.pictures('proposal-accept', theme);
      await studio.press('Ctrl+Enter');
      await studio.one('proposal', '[data-status="accepted"]');
      await studio.run('Show editor');
      await studio.openTab('colours', 'dspy/older.state.json');
      await studio.one('state-view');
      await studio.pictures('program-state', theme);
      const state = JSON.parse(await machine.command.read('colours', 'dspy/colour.state.json'));
      await machine.command.write('colours', 'dspy/colour.state.json', JSON.stringify({ ...state, dspy: '3.1.0' }));
      await studio.run('Show DSPy status');
      await studio.one('again-cost');
      await studio.clearToasts();
      await studio.pictures('settings-dspy', theme);
      await studio.button('Re-optimize');
      await studio.shows('again-usage', / in, /);
      await model.script(...SLOW);
      await studio.pictures('optimizing-again', theme);
      assert.equal(await studio.count('[data-testid="dspy-again"] [data-testid="progress"]'), 1, 'it goes on in its pictures');
      await model.script(...STEPS);
      await studio.shows('dspy-again', /proposal|No better state/);
      await studio.pictures('optimized-again', theme);
      await studio.clearToasts();

      // What says the same whatever it is shown gets no better.
      await studio.run('Show editor');
      await studio.openTab('colours', 'dspy/older.json');
      await studio.run('Optimize DSPy module');
      await studio.button('Pasted lines', '[data-testid="optimize-panel"]');
      await (await studio.one('examples-lines')).click();
      await studio.paste(THINGS.slice(0, 5).map((thing) => JSON.stringify({ question: `What colour is ${thing}?`, context: ['Noon.'], answer: 'blue' })).join('\n'));
      await (await studio.one('optimizer')).selectByAttribute('value', 'labeled_few_shot');
      await studio.shows('optimize-problem', /creates a proposal/);
      await (await studio.one('optimize-start')).click();
      await studio.one('not-better');
      await studio.pictures('not-better', theme);
      await studio.button('Review proposal');
      await studio.one('not-better');
      await studio.pictures('proposals-not-better', theme);
    } finally {
      await model.end();
    }
  }));
}

/** @param {Buffer} bytes */
function average(bytes) {
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return sum / bytes.length;
}
