import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Model } from '../harness/model.mjs';
import { onMachine } from '../harness/studio.mjs';

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

test('pictures of a script', onMachine(async (machine) => {
  const folder = join(await machine.place('skills'), 'auditor');
  await mkdir(join(folder, 'scripts'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: auditor\ndescription: Audits a folder. Use it to see how a script runs.\n---\n\nAudit with care.\n');
  await writeFile(join(folder, 'scripts/audit.py'), AUDIT);
  await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: 'scripts/audit.py', kind: 'code_template', name: 'Audit', ordinal: 1 }] }));
  await machine.command.json('import', folder);
  const studio = await machine.start();
  await studio.open('auditor', 'scripts/audit.py');
  await studio.press('Ctrl+Enter');
  await studio.one('run-result', '[data-status="error"]');
  await (await studio.find('[data-testid="limits"] button')).click();
  await studio.pictures('script');
  await studio.button('Open in Runs');
  await studio.one('trace');
  await studio.pictures('script-trace');
  await (await studio.find('[data-testid="trace"] button[data-line]')).click();
  await studio.edit();
  await studio.press('Ctrl+End');
  await studio.type('inklings.get');
  await studio.find('.cm-completionInfo');
  await studio.pictures('script-editing');
}));

test('pictures of runs', onMachine(async (machine) => {
  const model = await Model.start(
    { when: { user: 'Answer yes or no' }, repeat: 0, then: { reply: { text: 'yes' } } },
    { when: { model: 'small' }, then: { reply: { text: FOUND, usage: { input: 812, output: 96 } } } },
    { when: { model: 'large' }, then: { reply: { text: FOUND.replace('high', 'medium').replace('41', '40'), usage: { input: 812, output: 103 } } } },
  );
  try {
    await machine.command.json('model', 'add', 'scripted', '--kind', 'openai-compatible', '--base-url', model.address, '--no-key', '--model', 'small', '--model', 'large');
    const studio = await machine.start();
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
    await studio.pictures('run-ready');
    await studio.press('Ctrl+Enter');
    await studio.one('run-result', '[data-state="ended"]');
    await studio.pictures('run');

    await studio.button('Open in Runs');
    await studio.one('trace-output');
    await studio.pictures('runs');
    await studio.button('Replay with…');
    await studio.choose('scripted/large');
    await studio.one('replayed');
    await studio.button('Compare with original');
    await studio.find('.cm-mergeView');
    await studio.pictures('compare');
    await studio.run('Show usage');
    await studio.find('[data-testid="chart"] canvas');
    await studio.pictures('usage');

    await studio.run('Set up models');
    await (await studio.one('test-provider')).click();
    await studio.shows('test-result', /answered/);
    await studio.pictures('models');
    await (await studio.one('add-provider')).click();
    await studio.one('provider-form');
    await studio.pictures('provider');
  } finally {
    await model.end();
  }
}));

test('pictures of a run that called others', onMachine(async (machine) => {
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
    await studio.open('welcome-committee', 'scripts/welcome.py');
    await studio.press('Ctrl+Enter');
    await studio.one('run-result', '[data-status="ok"]');
    await studio.button('Open in Runs');
    await studio.one('called-run');
    await studio.pictures('run-called');
    await studio.run('Show usage');
    await studio.button('Cost', '[data-testid="usage"]');
    await studio.button('By model', '[data-testid="usage"]');
    await studio.shows('usage-total', /at least \$/);
    await studio.pictures('usage-unpriced');
  } finally {
    await model.end();
  }
}));
