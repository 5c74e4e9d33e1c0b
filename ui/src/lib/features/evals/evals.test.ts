import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';
import { COLUMNS, type ColumnId } from './caseColumns';
import type { EvalsViewModel } from './evalsViewModel.svelte';

const SKILL = 'timeline-builder';
const ENTRIES = [
  { id: 1, name: 'Two events', prompt: 'Order these', expected_output: 'In order', tags: ['short'], assertions: ['Is in order'] },
  { id: 2, prompt: 'Order those' },
  { id: 3, query: 'Sort my dates', should_trigger: true },
  { id: 4, query: 'Translate this', should_trigger: false },
];

let core: FakeCore;
let app: Services;
let view: EvalsViewModel;

async function settled(): Promise<void> {
  await flushPromises();
  await vi.advanceTimersByTimeAsync(1_500);
  await flushPromises();
}

async function open(slug = SKILL): Promise<void> {
  await app.evals.open(undefined, core.find(slug).summary);
  if (!app.evals.view) throw new Error('no view');
  view = app.evals.view;
  await settled();
}

const keys = (): string[] => (view.table.list.cases ?? []).map((one) => one.key.replace(/^.*#/, ''));
const toast = (): string => app.toasts.list.at(-1)?.message ?? '';
const fileText = (path = 'evals/evals.json'): string => core.find(SKILL).files.get(path)?.text ?? '';

function select(row: number, column: ColumnId): void {
  view.table.cursor.move(row, COLUMNS.findIndex(({ id }) => id === column));
}

/** Edits a cell as by keyboard. */
async function write(row: number, column: ColumnId, text: string, step = 0): Promise<boolean> {
  select(row, column);
  view.table.editor.begin();
  view.table.editor.type(text);
  const saved = await view.table.editor.commit(step);
  await settled();
  return saved;
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  core.runs.addProvider();
  core.evals.seed(SKILL, ENTRIES);
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

describe('the view', () => {
  it('shows the evals of the skill in the editor, and keeps the chosen one afterwards', async () => {
    app.files.open(core.find('link-auditor').summary, 'SKILL.md');
    await flushPromises();
    await app.evals.load();
    app.commands.run('eval.show');
    await settled();
    expect([app.layout.view, app.evals.view?.skill?.slug]).toEqual(['evals', 'link-auditor']);
    app.evals.view?.show(core.find(SKILL).summary);
    app.commands.run('eval.runs');
    await settled();
    expect([app.evals.view?.skill?.slug, app.evals.view?.part]).toEqual([SKILL, 'runs']);
  });

  it('offers skills by name', async () => {
    await open();
    app.evals.chooseSkill();
    app.evals.pick.query = 'link';
    expect([app.overlays.current, app.evals.pick.choices.map(({ slug }) => slug)]).toEqual(['evalSkill', ['link-auditor']]);
    const [first] = app.evals.pick.choices;
    if (first) app.evals.pick.choose(first);
    expect(view.skill?.slug).toBe('link-auditor');
  });

  it('says what is wrong in the files of cases', async () => {
    core.evals.seed(SKILL, [{ id: 1 }]);
    await open();
    expect([keys(), view.table.list.diagnostics.map(({ message }) => message)]).toEqual([[], ['the case has no "prompt"']]);
  });

  it('follows changes of the skill by others', async () => {
    await open();
    expect(keys()).toEqual(['1', '2', '3', '4']);
    core.evals.seed(SKILL, ENTRIES.slice(0, 1));
    await settled();
    expect(keys()).toEqual(['1']);
  });
});

describe('cases', () => {
  beforeEach(() => open());

  it('are edited cell by cell, each edit a revision that can be undone', async () => {
    expect(await write(1, 'expected', 'Sorted')).toBe(true);
    expect(JSON.parse(fileText())).toMatchObject({ evals: [{}, { expected_output: 'Sorted' }, {}, {}] });
    expect(toast()).toBe('Changed the expected output of Order those');
    app.toasts.list.at(-1)?.actions[0]?.run();
    await settled();
    expect(JSON.parse(fileText())).toEqual({ evals: ENTRIES });
    expect(view.table.list.tasks.map((one) => 'expected_output' in one && one.expected_output)).toEqual(['In order', null]);
  });

  it('aren’t saved if nothing was changed, or if the text is wrong', async () => {
    const { revision } = core.find(SKILL).summary;
    expect(await write(0, 'name', 'Two events')).toBe(true);
    expect(await write(0, 'checks', '{"type"')).toBe(false);
    expect(view.table.editor.editing?.problem).toBe('Not a JSON object: {"type"');
    view.table.editor.cancel();
    core.failing.set('eval/edit_cases', fail('io', 'the disk is full'));
    expect(await write(0, 'name', 'Three')).toBe(false);
    expect([view.table.editor.editing?.problem, core.find(SKILL).summary.revision]).toEqual(['The disk is full.', revision]);
  });

  it('keep the name that their file has for checks', async () => {
    core.evals.seed(SKILL, [{ id: 1, prompt: 'Order', expectations: ['Is in order'] }]);
    await settled();
    await write(0, 'checks', 'Is sorted');
    expect(JSON.parse(fileText())).toEqual({ evals: [{ id: 1, prompt: 'Order', expectations: ['Is sorted'] }] });
  });

  it('are moved through by Tab, over the end of a row', async () => {
    await write(0, 'tags', 'short, long', 1);
    expect([view.table.cursor.row, COLUMNS[view.table.cursor.column]?.id]).toEqual([0, 'split']);
    view.table.cursor.step(1);
    expect([view.table.cursor.row, COLUMNS[view.table.cursor.column]?.id]).toEqual([1, 'name']);
    view.table.cursor.move(99, 99);
    expect(view.table.cursor.current?.key).toMatch('#4');
  });

  it('can’t be edited where they have no such text', () => {
    select(2, 'expected');
    view.table.editor.begin();
    expect(view.table.editor.editing).toBeNull();
  });

  it('are added once their request is entered', async () => {
    view.table.editor.add('no_trigger');
    view.table.editor.type('Write a poem');
    await view.table.editor.commit();
    await settled();
    expect(core.callsOf('eval/edit_cases').at(-1)).toMatchObject({ changes: [{ change: 'add', file: 'evals/evals.json', case: { query: 'Write a poem', should_trigger: false } }] });
    expect(view.table.cursor.row).toBe(4);
    view.table.editor.add('task');
    expect(await view.table.editor.commit()).toBe(true);
    expect(view.table.list.cases).toHaveLength(5);
  });

  it('are duplicated and deleted together, with undo', async () => {
    view.table.selection.toggle(view.table.list.cases?.[0]?.key ?? '');
    view.table.selection.toggle(view.table.list.cases?.[2]?.key ?? '');
    await view.table.selection.remove();
    await settled();
    expect([keys(), toast(), view.table.selection.keys]).toEqual([['2', '4'], 'Deleted 2 cases', []]);
    app.toasts.list.at(-1)?.actions[0]?.run();
    await settled();
    expect(keys()).toEqual(['1', '2', '3', '4']);
    select(1, 'name');
    await view.table.selection.duplicate();
    await settled();
    expect([keys(), view.table.cursor.row]).toEqual([['1', '2', '5', '3', '4'], 2]);
  });

  it('are pasted as a table; what isn’t one is shown with the reason', async () => {
    await view.table.pasting.paste('prompt\texpected_output\nOrder A\tA\nOrder B\tB');
    await settled();
    expect([keys().length, view.table.pasting.isOpen]).toEqual([6, false]);
    await view.table.pasting.paste('hello');
    expect([view.table.pasting.isOpen, view.table.pasting.text, view.table.pasting.failure?.message]).toEqual([true, 'hello', 'line 2: no prompt and no input']);
    view.table.pasting.text = 'prompt\nOrder C';
    await view.table.pasting.submit();
    expect(view.table.pasting.isOpen).toBe(false);
    await view.table.pasting.paste(null);
    expect(view.table.pasting.isOpen).toBe(true);
  });

  it('of a locked skill are read-only until it is duplicated', async () => {
    core.find('consistency-checker').files.set('evals/evals.json', { text: JSON.stringify({ evals: ENTRIES }) });
    await open('consistency-checker');
    expect(view.readOnlyReason).toBe('locked');
    select(0, 'name');
    view.table.editor.begin();
    view.table.editor.add('task');
    await view.table.selection.remove();
    expect([view.table.editor.editing, core.callsOf('eval/edit_cases')]).toEqual([null, []]);
    await app.evals.duplicate();
    await settled();
    expect([view.skill?.slug, view.readOnlyReason, keys().length]).toEqual(['consistency-checker-copy', null, 4]);
  });
});

describe('saving a case', () => {
  it('takes the inputs and the output of a run', async () => {
    const { summary } = core.find(SKILL);
    const { run_id: run } = core.runs.trace({ skill_id: summary.id, skill_slug: SKILL, artifact_path: 'prompts/order.j2', params: { events: [] }, raw_output: 'None' });
    await app.evals.saveRun({ run_id: run, skill_id: summary.id, skill_scope: summary.scope });
    const saving = app.evals.view?.table.saving;
    if (!saving) throw new Error('nothing is saved');
    saving.name = ' No events ';
    await saving.save();
    await settled();
    expect(JSON.parse(fileText())).toMatchObject({ evals: [{}, {}, {}, {}, { name: 'No events', artifact: 'prompts/order.j2', input: { events: [] }, expected_output: 'None' }] });
    expect([saving.source, toast()]).toEqual([null, 'Saved a case of Timeline Builder']);
  });

  it('of an answer asks for the skill, unless one was recommended', async () => {
    const { summary } = core.find(SKILL);
    const message = { id: 'm', session: 's', steps: [] };
    await app.evals.saveAnswer(message);
    const saving = app.evals.view?.table.saving;
    expect(saving?.skill).toBeNull();
    const skills = [{ skill: summary.id, scope: summary.scope, slug: SKILL, name: '', description: '', score: 1, exact: null, terms: [] }];
    await app.evals.saveAnswer({ ...message, steps: [{ kind: 'recommended', skills }] });
    expect(saving?.skill).toEqual({ scope: summary.scope, id: summary.id });
    core.failing.set('eval/edit_cases', fail('notFound', 'the chat has no such answer'));
    await saving?.save();
    expect([saving?.failure?.message, saving?.source]).toEqual(['the chat has no such answer', { session: 's', message: 'm' }]);
    core.failing.clear();
    await saving?.save();
    expect(core.callsOf('eval/edit_cases').at(-1)).toMatchObject({ changes: [{ change: 'add_answer', session: 's', message: 'm' }] });
  });
});

describe('triggers', () => {
  it('are tested by the ranking, and by a model that is asked for', async () => {
    core.evals.ranking = (query) => (query === 'Sort my dates' ? ['link-auditor', SKILL] : [SKILL]);
    await open();
    await view.triggers.test(view.skill?.revision ?? 0);
    expect([view.triggers.report?.confusions, view.triggers.report?.false_alarms, view.triggers.asked]).toEqual([[{ skill: 'link-auditor', queries: ['Sort my dates'] }], ['Translate this'], null]);
    await view.triggers.ask(1, 'claude/claude-haiku');
    expect(core.callsOf('eval/model_triggers')).toMatchObject([{ model: 'claude/claude-haiku' }]);
    expect(view.triggers.asked).toEqual({ model: 'claude/claude-haiku', usage: '900 tokens in, 30 out, $0.0100' });
    view.show(core.find('link-auditor').summary);
    expect(view.triggers.report).toBeNull();
  });
});
