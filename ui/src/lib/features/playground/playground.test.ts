import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import { StringBuffer } from '$lib/features/editor/document/buffer';
import type { Services } from '$lib/workbench/services';
import { caseProblem, caseText, type NewCase } from './cases';
import { describeColumn, type Playground, variantsOf } from './playground.svelte';

const SKILL = 'timeline-builder';
const PROMPT = 'prompts/order.j2';
const VALUES = { events: [{ date: '1', title: 't' }] };

let core: FakeCore;
let app: Services;

async function start(): Promise<void> {
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
}

async function open(path = PROMPT): Promise<Playground> {
  app.files.open(core.find(SKILL).summary, path);
  await flushPromises();
  app.commands.run('playground.open');
  const playground = app.playground.active;
  if (!playground) throw new Error('no playground');
  await playground.open();
  await settled();
  return playground;
}

async function settled(): Promise<void> {
  await flushPromises();
  await vi.advanceTimersByTimeAsync(800);
  await flushPromises();
}

const fill = (playground: Playground): void => playground.planForm.form.fields.fill(VALUES);

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  core.runs.addProvider();
  await start();
});

describe('the tab', () => {
  it('opens beside the file, once, and leads back to it', async () => {
    await open();
    expect(app.tabs.groups.tabs.map((tab) => tab.kind)).toEqual(['file', 'view']);
    expect(app.commands.keyOf('playground.open')).toBe(app.commands.keyOf('playground.file'));
    app.commands.run('playground.file');
    expect(app.tabs.document?.file.path).toBe(PROMPT);
    app.commands.run('playground.open');
    expect(app.tabs.groups.tabs).toHaveLength(2);
  });

  it('isn’t offered for a file that can’t run', async () => {
    app.files.open(core.find(SKILL).summary, 'skill.json');
    await flushPromises();
    expect(app.playground.candidate).toBeNull();
    app.files.open(core.find(SKILL).summary, 'SKILL.md');
    await flushPromises();
    expect(app.playground.candidate?.path).toBe('SKILL.md');
  });

  it('is restored with its columns after a restart', async () => {
    const playground = await open();
    playground.columns.add(undefined, { model: 'scripted/other', revision: 1 });
    await settled();
    await start();
    expect(app.tabs.active).toMatchObject({ kind: 'view', target: { path: PROMPT } });
    expect(app.playground.active?.columns.list.map((column) => column.spec)).toEqual([
      { artifact: PROMPT, model: null, revision: null },
      { artifact: PROMPT, model: 'scripted/other', revision: 1 },
    ]);
  });

  it('shows the last output again after a restart, unless something else was chosen since', async () => {
    const playground = await open();
    fill(playground);
    const other = playground.columns.add();
    await playground.runs.start();
    const output = playground.columns.list[0]?.live?.text;
    expect(output).not.toBe('');
    if (other) playground.columns.change(other, { model: 'scripted/other' });
    await settled();
    await start();
    const again = app.playground.active;
    await again?.open();
    expect(again?.columns.list.map((column) => [column.live?.text, column.ran === column.spec])).toEqual([
      [output, true],
      [undefined, false],
    ]);
    expect(again?.columns.list[0]?.params).toEqual(VALUES);
    await app.client.call('run/delete', { runs: core.callsOf('run/get').map(({ run }) => String(run)) });
    await settled();
    await start();
    await app.playground.active?.open();
    expect(app.playground.active?.columns.list[0]?.live).toBeNull();
  });

  it('closes with its skill’s file', async () => {
    await open();
    const { closeDeleted, followMove } = await import('$lib/features/editor');
    const { summary } = core.find(SKILL);
    followMove(app.tabs, summary, PROMPT, 'prompts/moved.j2');
    expect(app.tabs.active).toMatchObject({ target: { path: 'prompts/moved.j2' } });
    closeDeleted(app.tabs, summary);
    expect(app.tabs.groups.tabs).toEqual([]);
  });
});

describe('a run', () => {
  it('starts all columns at once, each with its own model and revision', async () => {
    const playground = await open();
    fill(playground);
    playground.columns.add(undefined, { model: 'scripted/other' });
    playground.columns.add(undefined, { model: null, revision: 1 });
    core.hold('run/start');
    void playground.runs.start();
    await flushPromises();
    expect(core.callsOf('run/start').map(({ model, revision, params }) => ({ model, revision, params }))).toEqual([
      { model: undefined, revision: undefined, params: VALUES },
      { model: 'scripted/other', revision: undefined, params: VALUES },
      { model: undefined, revision: 1, params: VALUES },
    ]);
    expect(playground.columns.running).toBe(true);
    core.release('run/start');
    await flushPromises();
    expect(playground.columns.list.every((column) => column.live?.status === 'ok' && column.hasOutput)).toBe(true);
  });

  it('asks once for the gates of all columns', async () => {
    const playground = await open();
    fill(playground);
    playground.columns.add();
    core.runs.gates = [{ key: 'figures', label: 'The figures are right' }];
    const started = playground.runs.start();
    await flushPromises();
    expect(app.gateApproval.gates).toHaveLength(1);
    expect(playground.columns.list.map((column) => column.live?.status)).toEqual(['error', 'error']);
    app.gateApproval.approve();
    await started;
    expect(playground.columns.list.map((column) => column.live?.status)).toEqual(['ok', 'ok']);
    expect(core.callsOf('run/start').map(({ approve }) => approve)).toEqual([undefined, undefined, ['figures'], ['figures']]);
  });

  it('of one column leaves the others as they are', async () => {
    const playground = await open();
    fill(playground);
    const second = playground.columns.add();
    if (!second) throw new Error('no column');
    await playground.runs.start();
    const first = playground.columns.list[0]?.live;
    const before = second.live;
    await playground.runs.start([second]);
    expect(playground.columns.list[0]?.live).toBe(first);
    expect(second.live).not.toBe(before);
    expect(core.callsOf('run/start')).toHaveLength(3);
  });

  it('is refused before anything starts if an input is missing, and marks the field until it is filled in', async () => {
    const playground = await open();
    await playground.runs.start();
    expect(core.callsOf('run/start')).toEqual([]);
    expect([playground.runs.fieldToFocus?.name, playground.runs.missing]).toEqual(['events', ['events']]);
    fill(playground);
    expect(playground.runs.missing).toEqual([]);
  });

  it('is canceled column by column', async () => {
    const playground = await open();
    fill(playground);
    const second = playground.columns.add();
    core.hold('run/start');
    void playground.runs.start();
    await flushPromises();
    if (second) await playground.runs.cancel([second]);
    expect(core.callsOf('run/cancel')).toEqual([{ run: second?.live?.id }]);
    core.release('run/start');
    await flushPromises();
  });

  it('saves the unsaved text of its files only', async () => {
    app.files.open(core.find(SKILL).summary, 'SKILL.md');
    await flushPromises();
    const other = app.tabs.document;
    other?.content.attach(new StringBuffer('Half a thought'));
    other?.content.edited();
    const playground = await open();
    fill(playground);
    await playground.runs.start();
    expect([core.callsOf('skill/edit'), other?.content.dirty]).toEqual([[], true]);
  });

  it('says what the columns would cost at least', async () => {
    const playground = await open();
    fill(playground);
    playground.columns.add();
    await settled();
    expect(playground.planning.estimate).toBe('from $0.0018');
  });

  it('isn’t possible without a model', async () => {
    core = new FakeCore();
    await start();
    const playground = await open();
    expect(playground.planning.lacksModel).toBe(true);
  });
});

describe('columns', () => {
  it('are at most six', async () => {
    const playground = await open();
    while (playground.columns.add());
    expect([playground.columns.list.length, playground.columns.canAdd]).toEqual([6, false]);
  });

  it('are compared in their order on screen, the last two that were selected', async () => {
    const playground = await open();
    fill(playground);
    playground.columns.add();
    playground.columns.add();
    await playground.runs.start();
    const [first, second, third] = playground.columns.list;
    if (!first || !second || !third) throw new Error('three columns');
    for (const column of [second, third, first]) playground.columns.mark(column, true);
    expect(playground.columns.pair).toEqual([first, third]);
    playground.columns.mark(third, false);
    expect(playground.columns.pair).toBeNull();
    playground.columns.remove(first);
    expect(playground.columns.list).toEqual([second, third]);
  });

  it('name what they run', () => {
    const variants = [{ path: 'a.j2', label: 'Default variant' }, { path: 'b.j2', label: 'anthropic' }];
    expect(describeColumn({ artifact: 'b.j2', model: null, revision: 2 }, 'local/small', variants)).toBe('local/small, anthropic, revision 2');
    expect(describeColumn({ artifact: 'a.j2', model: null, revision: null }, null, [])).toBe('No model');
    expect(variantsOf([], 'a.j2')).toEqual([]);
  });
});

describe('a case', () => {
  const one: NewCase = { name: 'Short Greeting', artifact: PROMPT, input: VALUES, output: 'Hello', expectation: 'none', expected: '' };

  it('has inputs, output and the expectation as an assertion', () => {
    expect(JSON.parse(caseText(one))).toEqual({ name: 'Short Greeting', artifact: PROMPT, input: VALUES, expected_output: 'Hello', assertions: [] });
    const assertions = (change: Partial<NewCase>): unknown => (JSON.parse(caseText({ ...one, ...change })) as { assertions: unknown }).assertions;
    expect(assertions({ expectation: 'equals' })).toEqual([{ type: 'equals', value: 'Hello', severity: 'hard' }]);
    expect(assertions({ expectation: 'contains', expected: 'ell' })).toEqual([{ type: 'contains', value: 'ell', severity: 'hard' }]);
    expect(assertions({ expectation: 'json_schema', expected: '{"type": "object"}' })).toEqual([{ type: 'structural', check: 'json_schema', schema: { type: 'object' }, severity: 'hard' }]);
  });

  it('needs a name that isn’t taken and a sound expectation', () => {
    expect(caseProblem(one, [])).toBe('');
    expect(caseProblem({ ...one, name: ' ' }, [])).toBe('Enter a name.');
    expect(caseProblem(one, ['evals/short-greeting.json'])).toMatch('already exists');
    expect(caseProblem({ ...one, expectation: 'contains' }, [])).toMatch('text');
    expect(caseProblem({ ...one, expectation: 'json_schema', expected: '[1]' }, [])).toMatch('JSON Schema');
  });
});
