import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, FakeCore, WORKSPACE } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Action, ParamsOf } from '$lib/api/generated';
import { previewTarget } from '$lib/features/inspector';
import type { Services } from '$lib/workbench/services';
import { actionLabel, modeLabel } from './labels';
import { parseValues, valuesText } from './valuesText';

const SKILL = 'consistency-checker';
const PROMPT = 'prompts/check-prompt.j2';
const VALUES = { entity_name: 'Aria', claims: [{ page_name: 'p', text: 't' }] };

let core: FakeCore;
let app: Services;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  core.runs.addProvider();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

const messages = (): string[] => app.toasts.list.map((toast) => toast.message);
const entry = (slug: string): Action.ActionEntry => {
  const found = app.savedActions.list?.find((one) => one.slug === slug);
  if (!found) throw new Error(`no action ${slug}`);
  return found;
};

/** Presses a button of the newest toast. */
async function press(label: string): Promise<void> {
  const toast = app.toasts.list.at(-1);
  const action = toast?.actions.find((one) => one.label === label);
  if (!toast || !action) throw new Error(`no button ${label}`);
  app.toasts.act(toast, action);
  await flushPromises();
}

async function saved(more: Partial<ParamsOf<'action/save'>> = {}): Promise<Action.ActionEntry> {
  const { slug } = await app.savedActions.save({ slug: 'weekly', skill: SKILL, artifact: PROMPT, params: VALUES, ...more });
  return entry(slug);
}

async function run(action: Action.ActionEntry): Promise<void> {
  void app.actionRuns.start(action);
  await flushPromises();
}

/** Opens a file with its form filled in. */
async function open(): Promise<void> {
  app.files.open(core.find(SKILL).summary, PROMPT);
  await flushPromises();
  await app.preview.follow(previewTarget(app.tabs.document));
  app.runView.follow();
  await vi.advanceTimersByTimeAsync(200);
  await flushPromises();
  app.runView.form.fields.fill(VALUES);
}

describe('an action', () => {
  it('is saved from the run panel under a free name, with its values', async () => {
    await saved({ slug: SKILL });
    expect(app.commands.get('action.save')?.when?.()).toBe(false);
    await open();
    app.commands.run('action.save');
    await flushPromises();
    expect([app.actionSaving.name, app.actionSaving.source?.blank, app.actionSaving.replaces]).toEqual([`${SKILL}-2`, [], false]);
    app.actionSaving.name = 'Weekly check';
    await app.actionSaving.save();
    expect(app.actionSaving.failure).toMatchObject({ code: 'invalid' });
    app.actionSaving.name = 'weekly';
    await app.actionSaving.save();
    expect([app.actionSaving.source, core.actions.get('weekly')]).toMatchObject([null, { skill: SKILL, scope: null, artifact: PROMPT, params: VALUES, model: null }]);
    expect(messages()).toEqual(['Saved action weekly']);
    await press('Run');
    expect(core.callsOf('action/run')).toMatchObject([{ slug: 'weekly' }]);
  });

  it('is saved from a playground with the model of the selected column, and says what it replaces', async () => {
    await saved({ mode: 'trigger' });
    await open();
    app.commands.run('playground.open');
    const playground = app.playground.active;
    await playground?.open();
    await flushPromises();
    playground?.planForm.form.fields.fill({ entity_name: 'Bea' });
    playground?.columns.add(undefined, { model: 'claude/claude-haiku' });
    const [, second] = playground?.columns.list ?? [];
    if (second) playground?.columns.mark(second, true);
    app.commands.run('action.save');
    await flushPromises();
    expect([app.actionSaving.model, app.actionSaving.source?.blank]).toEqual(['claude/claude-haiku', ['claims']]);
    app.actionSaving.name = 'weekly';
    expect(app.actionSaving.replaces).toBe(true);
    await app.actionSaving.save();
    expect(core.actions.get('weekly')).toMatchObject({ model: 'claude/claude-haiku', mode: 'trigger', params: { entity_name: 'Bea' } });
  });

  it('is found in the palette unless it is disabled', async () => {
    await app.savedActions.enable(await saved(), false);
    await saved({ slug: 'monthly', skill: 'timeline-builder' });
    app.commands.run('action.run');
    await flushPromises();
    const choices = (): string[] => app.actionPick.choices.map(({ slug }) => slug);
    expect([app.overlays.current, choices()]).toEqual(['action', ['monthly', 'optimize-skill']]);
    app.actionPick.query = 'timeline';
    expect(choices()).toEqual(['monthly']);
  });

  it('runs as a task and leads to its run', async () => {
    await run(await saved());
    const [call] = core.callsOf('action/run');
    expect([messages(), app.tasks.list.map(({ title }) => title)]).toEqual([['Ran weekly'], ['Run action weekly']]);
    await press('Show run');
    expect([app.layout.view, app.runsView.runs.selection.run]).toEqual(['runs', call?.['run']]);
  });

  it('that fails or waits says so', async () => {
    const action = await saved();
    core.actions.gates = [{ key: 'tone', label: 'Check the tone', when: 'after_draft', decision: null }];
    await run(action);
    core.runs.default = null;
    await run(action);
    await app.savedActions.enable(action, false);
    await run(action);
    expect(messages()).toEqual(['weekly waits for approval', 'weekly failed: No model is configured.', 'Couldn’t run weekly: the action weekly is disabled']);
    await press('Edit action');
    expect([app.layout.view, app.settingsPage.section]).toEqual(['settings', 'actions']);
  });

  it('asks for gates once, and doesn’t run without them', async () => {
    const action = await saved();
    core.runs.gates = [{ key: 'figures', label: 'Approve the figures' }];
    await run(action);
    app.gateApproval.decline();
    await flushPromises();
    expect([messages(), core.callsOf('action/run').length]).toEqual([[], 1]);
    await run(action);
    app.gateApproval.approve();
    await flushPromises();
    expect([messages(), core.callsOf('action/run').at(-1)?.['approve']]).toEqual([['Ran weekly'], ['figures']]);
  });

  it('asks whether the workspace is trusted', async () => {
    await app.workspace.open(WORKSPACE);
    await flushPromises();
    const [own] = core.skills.filter(({ summary }) => summary.scope === 'workspace');
    const action = await saved({ skill: own?.summary.slug ?? '', scope: 'workspace', artifact: null, params: {} });
    core.failing.set('action/run', fail('notTrusted', 'the workspace isn’t trusted'));
    const ask = vi.spyOn(app.workspace.trust, 'ask').mockResolvedValue(false);
    await run(action);
    expect([ask.mock.calls, messages(), core.callsOf('action/run').length]).toEqual([[['Trust and run']], [], 1]);
    ask.mockImplementation(() => {
      core.failing.clear();
      return Promise.resolve(true);
    });
    await run(action);
    expect([messages(), core.callsOf('action/run').length]).toEqual([['Ran weekly'], 3]);
  });
});

describe('the built-in action', () => {
  it('asks for a skill, and leads to what it proposes', async () => {
    await app.savedActions.load();
    core.actions.rewrite = { proposal: 'p-1' };
    await run(entry('optimize-skill'));
    expect([app.overlays.current, core.callsOf('action/run')]).toEqual(['evalSkill', []]);
    const { id, scope } = core.find(SKILL).summary;
    const chosen = app.catalog.skills.find((one) => one.id === id);
    if (chosen) app.evals.pick.choose(chosen);
    await flushPromises();
    expect(core.callsOf('action/run')).toMatchObject([{ slug: 'optimize-skill', run: null, params: { skill: id, scope } }]);
    expect(messages()).toEqual(['optimize-skill proposes a change']);
    await press('Review');
    expect(app.layout.view).toBe('proposals');
  });

  it('runs for the skill of its values, and says that nothing helped', async () => {
    await saved();
    await app.savedActions.setValues(entry('optimize-skill'), { skill: SKILL });
    await run(entry('optimize-skill'));
    expect(messages()).toEqual(['optimize-skill found no edit that helps']);
    expect(actionLabel(entry('optimize-skill'))).toBe(`Improves the instructions of ${SKILL} · 1 value`);
  });
});

describe('the list', () => {
  it('shows a change at once, and what is stored if it is refused', async () => {
    const action = await saved();
    core.held.set('action/save', []);
    void app.savedActions.enable(action, false);
    expect(entry('weekly').enabled).toBe(false);
    core.release('action/save');
    await flushPromises();
    expect(core.actions.get('weekly').enabled).toBe(false);
    core.failing.set('action/save', fail('busy', 'the database is in use'));
    await app.savedActions.enable(entry('weekly'), true);
    expect([entry('weekly').enabled, messages()]).toEqual([false, ['Couldn’t enable weekly: the database is in use']]);
  });

  it('keeps everything but the values when they are edited', async () => {
    const action = await saved({ model: 'claude/claude-haiku', mode: 'goal_loop', enabled: false });
    await app.savedActions.setValues(action, { entity_name: 'Bea' });
    expect(core.actions.get('weekly')).toMatchObject({ artifact: PROMPT, model: 'claude/claude-haiku', mode: 'goal_loop', enabled: false, params: { entity_name: 'Bea' } });
    expect([modeLabel(entry('weekly')), modeLabel(entry('optimize-skill'))]).toEqual(['Goal loop: not scheduled here', null]);
    expect(actionLabel(entry('weekly'))).toBe(`${SKILL}, ${PROMPT} · 1 value · claude/claude-haiku`);
  });

  it('brings a deleted action back, and follows other programs', async () => {
    await app.savedActions.remove(await saved({ mode: 'trigger' }));
    expect(app.savedActions.list?.map(({ slug }) => slug)).toEqual(['optimize-skill']);
    await press('Undo');
    expect(entry('weekly')).toMatchObject({ mode: 'trigger', params: VALUES });
    core.actions.list = [];
    core.emit('action', ['weekly']);
    await flushPromises();
    expect(app.savedActions.list).toEqual([]);
  });
});

it('values are a JSON object', () => {
  expect(parseValues(valuesText(VALUES))).toEqual({ params: VALUES });
  expect(parseValues(' ')).toEqual({ params: {} });
  expect(parseValues('[1]')).toMatchObject({ problem: 'Enter a JSON object, such as {"topic": "bees"}.' });
  expect(parseValues('{')).toMatchObject({ problem: expect.stringContaining('Invalid JSON') as string });
});
