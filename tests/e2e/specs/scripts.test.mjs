import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Machine} Machine */

const SCRIPT = 'scripts/audit.py';

/**
 * A skill with one script, opened beside its run.
 * @param {Machine} machine
 * @param {string[]} lines
 */
async function scripted(machine, ...lines) {
  const folder = join(await machine.place('skills'), 'auditor');
  await mkdir(join(folder, 'scripts'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: auditor\ndescription: Audits a folder. Use it to see how a script runs.\n---\n\nAudit with care.\n');
  await writeFile(join(folder, SCRIPT), `${lines.join('\n')}\n`);
  await writeFile(join(folder, 'skill.json'), JSON.stringify({ artifacts: [{ path: SCRIPT, kind: 'code_template', name: 'Audit', ordinal: 1 }] }));
  await machine.command.json('import', folder);
  const studio = await machine.start();
  await studio.open('auditor', SCRIPT);
  return studio;
}

test('a script shows its log and how far it is while it runs, and ends with its output', onMachine(async (machine) => {
  const studio = await scripted(
    machine,
    'import inklings, time',
    'for step in range(400):',
    '    print(f"looked at {step}")',
    '    inklings.progress(step / 400, "Looking around")',
    '    time.sleep(0.02)',
    'inklings.submit("all is well")',
  );
  await studio.press('Ctrl+Enter');
  await studio.shows('run-log', 'looked at 2');
  await studio.shows('progress', /Looking around[\s\S]*%/);
  await studio.one('run-result', '[data-state="running"]');
  await until(
    () => studio.browser.execute(() => {
      const log = document.querySelector('[data-testid="run-log"]');
      return log !== null && log.scrollHeight > log.clientHeight + 100 && log.scrollTop + log.clientHeight >= log.scrollHeight - 40;
    }),
    'the end of the log in sight',
  );
  // Whoever scrolls up reads on undisturbed.
  await studio.browser.execute(() => document.querySelector('[data-testid="run-log"]')?.scrollTo(0, 0));
  await studio.button('Follow', '[data-testid="run-result"]');
  await studio.one('run-result', '[data-status="ok"]');
  await studio.shows('run-output', 'all is well');
  await studio.shows('run-log', 'looked at 399');
  assert.equal(await studio.count('[data-testid="run-result"] [data-testid="progress"]'), 0);
}));

test('a script that fails says where, and one click goes there, from the run and from its trace', onMachine(async (machine) => {
  const studio = await scripted(machine, 'print("before")', '', 'def check(page):', '    raise ValueError("no luck")', '', 'check(1)');
  await studio.press('Ctrl+Enter');
  await studio.one('run-result', '[data-status="error"]');
  await studio.shows('traceback', /line 6[\s\S]*line 4[\s\S]*no luck/);
  await (await studio.find('[data-testid="traceback"] button[data-line="6"]')).click();
  await studio.shows('status-bar', /Ln 6/);
  await studio.button('Open in Runs');
  await studio.one('trace');
  await studio.shows('run-log', 'before');
  await (await studio.find('[data-testid="trace"] button[data-line="4"]')).click();
  await studio.one('editor', `[data-path="${SCRIPT}"]`);
  await studio.shows('status-bar', /Ln 4/);

  // The same without a pointer.
  await studio.run('Show runs');
  await studio.one('trace');
  const line = '[data-testid="trace"] button[data-line="6"]';
  await until(async () => {
    await studio.press('Tab');
    return studio.browser.execute((wanted) => document.activeElement?.matches(wanted) === true, line);
  }, async () => `Tab to reach ${line}, it is at: ${await studio.browser.execute(() => document.activeElement?.outerHTML.slice(0, 200))}`, { every: 0 });
  await studio.press('Enter');
  await studio.focused('editor');
  await studio.shows('status-bar', /Ln 6/);
}));

test('a limit of scripts is refused beside its field, or saved and in effect', onMachine(async (machine) => {
  const studio = await scripted(machine, 'while True:', '    pass');
  const field = '[data-testid="script-limit"][data-limit="seconds"] input';
  const limit = () => studio.browser.execute((wanted) => {
    const input = document.querySelector(wanted);
    return input instanceof HTMLInputElement ? [input.value, input.getAttribute('aria-invalid')] : [];
  }, field);
  await studio.run('Set script limits');
  await (await studio.find(field)).click();
  assert.deepEqual(await limit(), ['120', 'false']);
  await studio.press('Ctrl+A');
  await studio.type('0\n');
  await studio.shows('script-limit', /whole number from 1 to 86,400.*120/);
  assert.deepEqual(await limit(), ['0', 'true']);
  await studio.press('Ctrl+A');
  await studio.type('1\n');
  assert.deepEqual(await limit(), ['1', 'false']);

  await studio.run('Show editor');
  const began = Date.now();
  await studio.press('Ctrl+Enter');
  await studio.shows('run-error', /time limit of 1 s/);
  assert.ok(Date.now() - began < 20_000, 'long before the default');
  await studio.button('Change limits');
  await studio.find(field);
  assert.deepEqual(await limit(), ['1', 'false']);
  await studio.button('Reset to 120 seconds');
  assert.deepEqual(await limit(), ['120', 'false']);
  await studio.focused('script-limit');
}));

test('the editor completes and explains what scripts can import', onMachine(async (machine) => {
  const studio = await scripted(machine, 'import inklings', '');
  await studio.edit();
  await studio.press('Ctrl+End');
  await studio.type('inklings.sea');
  const offered = '.cm-tooltip-autocomplete li[aria-selected]';
  // What has only just appeared doesn't take Enter yet: it may have been meant for the text.
  let since = 0;
  await until(async () => {
    if (!/^search/.test(await studio.words(offered))) since = 0;
    else if (since === 0) since = Date.now();
    return since > 0 && Date.now() - since > 250;
  }, async () => `search to be offered, not "${await studio.words('.cm-tooltip-autocomplete')}"`);
  await until(async () => /best match first/.test(await studio.words('.cm-completionInfo')), 'what it does');
  await studio.press('Enter');
  await until(async () => (await studio.text()).endsWith('inklings.search'), 'the whole name');

  const word = await studio.browser.execute(() => {
    const line = [...document.querySelectorAll('[data-testid="editor"] .cm-line')].at(-1);
    const range = document.createRange();
    const text = line ? document.createTreeWalker(line, NodeFilter.SHOW_TEXT) : null;
    let node = text?.nextNode() ?? null;
    while (node && !node.textContent?.includes('search')) node = text?.nextNode() ?? null;
    if (!node) return null;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    return { x: Math.round(box.right - 12), y: Math.round(box.top + box.height / 2) };
  });
  assert.ok(word);
  await studio.browser.action('pointer').move({ ...word, origin: 'viewport' }).perform();
  await until(async () => /search\(query/.test(await studio.words('.cm-tooltip-hover')), 'the help under the pointer');
}));
