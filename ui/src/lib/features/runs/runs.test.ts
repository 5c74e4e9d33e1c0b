import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { costOf } from '$lib/domain';
import { Compare } from './compare.svelte';
import { Runs } from './runs.svelte';
import { barsOf, RunView, usesOf } from './runView.svelte';
import { daily, Usage } from './usage.svelte';

let b: Bench;
let runs: Runs;
const ids = (): string[] => runs.list.map((run) => run.run_id);

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  runs = new Runs(b.client, b.feed);
});

/** Makes so many runs, the last of them the newest. */
function ran(count: number, more: Parameters<typeof b.core.runs.trace>[0] = {}): string[] {
  return Array.from({ length: count }, () => b.core.runs.trace(more).run_id);
}

/** Makes calls for lists that wait; gives what answers each of them. */
async function underWay(ask: () => void): Promise<(() => void)[]> {
  b.core.hold('run/list');
  ask();
  await flushPromises();
  const answers = b.core.held.get('run/list') ?? [];
  b.core.held.delete('run/list');
  return answers;
}

describe('the list', () => {
  it('is read page by page, each run once', async () => {
    ran(250);
    runs.open();
    await flushPromises();
    expect(runs.list).toHaveLength(100);
    await runs.more();
    await runs.more();
    await runs.more();
    expect(new Set(ids()).size).toBe(250);
    expect(runs.list).toHaveLength(250);
    expect(runs.next).toBeNull();
  });

  it('has no hole when it is read again while a page is under way', async () => {
    ran(250);
    runs.open();
    await flushPromises();
    const [page, again] = await underWay(() => {
      void runs.more();
      // One that began meanwhile moves the end of what is listed.
      ran(1);
      runs.retry();
    });
    again?.();
    await flushPromises();
    page?.();
    await flushPromises();
    expect(ids()).toEqual(b.core.runs.list({ limit: 200 }).runs.map((run) => run.run_id));
  });

  it('has one page under way', async () => {
    ran(250);
    runs.open();
    await flushPromises();
    b.core.hold('run/list');
    void runs.more();
    void runs.more();
    await flushPromises();
    b.core.release('run/list');
    await flushPromises();
    expect(b.core.callsOf('run/list').filter((call) => call['before'])).toHaveLength(1);
    expect(runs.list).toHaveLength(200);
  });

  it('drops a page of what was filtered before', async () => {
    ran(1, { status: 'error' });
    ran(150);
    runs.open();
    await flushPromises();
    const [page, filtered] = await underWay(() => {
      void runs.more();
      // The first page stays the same.
      runs.query.set({ status: 'ok' });
    });
    filtered?.();
    await flushPromises();
    page?.();
    await flushPromises();
    expect(runs.list).toHaveLength(100);
    await runs.more();
    expect(runs.list).toHaveLength(150);
    expect(runs.list.some((run) => run.status === 'error')).toBe(false);
  });

  it('passes every filter on', async () => {
    vi.setSystemTime(Date.UTC(2026, 2, 15));
    runs.open();
    await flushPromises();
    runs.query.set({ skill: 's', model: 'm', kind: 'prompt_template', status: 'ok', range: 'day', failedOnly: true });
    runs.query.set({ text: ' age ' });
    await vi.advanceTimersByTimeAsync(300);
    await flushPromises();
    expect(b.core.callsOf('run/list').at(-1)).toMatchObject({
      account: false,
      filter: { skill: 's', model: 'm', kind: 'prompt_template', status: ['ok'], text: 'age', since: expect.stringMatching(/^2026-03-14T00:00:0\d/) as string, failed_assertions: true },
    });
    runs.query.clear();
    await flushPromises();
    expect(b.core.callsOf('run/list').at(-1)).toMatchObject({ filter: {} });
  });

  it('waits for the end of typing', async () => {
    runs.open();
    await flushPromises();
    const before = b.core.callsOf('run/list').length;
    for (const text of ['a', 'ag', 'age']) {
      runs.query.set({ text });
      await vi.advanceTimersByTimeAsync(50);
    }
    await vi.advanceTimersByTimeAsync(300);
    expect(b.core.callsOf('run/list')).toHaveLength(before + 1);
  });

  it('is current while runs go on, and keeps what was read and chosen', async () => {
    const [first] = ran(150);
    runs.open();
    await flushPromises();
    await runs.more();
    runs.selection.select(first ?? '');
    const [later] = ran(1);
    b.core.emit('run', [later ?? '']);
    await vi.advanceTimersByTimeAsync(400);
    expect(ids()[0]).toBe(later);
    expect(runs.list).toHaveLength(150);
    expect(runs.selection.index).toBe(-1);
    expect(runs.next).not.toBeNull();
    expect(runs.selection.run).toBe(first);
  });

  it('isn’t read while nobody looks at it', async () => {
    const close = runs.open();
    await flushPromises();
    close();
    const before = b.core.callsOf('run/list').length;
    b.core.emit('run', ['x']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(b.core.callsOf('run/list')).toHaveLength(before);
  });

  it('shows the account’s runs when they are asked for', async () => {
    runs.open();
    await flushPromises();
    runs.query.showAccount(true);
    await flushPromises();
    expect(b.core.callsOf('run/list').at(-1)).toMatchObject({ account: true });
  });

  it('says what failed, and can try again', async () => {
    b.core.failing.set('run/list', fail('corrupt', 'agents.db is damaged'));
    runs.open();
    await flushPromises();
    expect(runs).toMatchObject({ loaded: false, failure: { code: 'corrupt' } });
    b.core.failing.clear();
    runs.retry();
    await flushPromises();
    expect(runs).toMatchObject({ loaded: true, failure: null });
  });

  it('is navigated by key, and reads more at its end', async () => {
    ran(150);
    runs.open();
    await flushPromises();
    runs.selection.step(1);
    expect(runs.selection.index).toBe(0);
    runs.selection.step(-1);
    expect(runs.selection.index).toBe(0);
    runs.selection.step(99);
    await flushPromises();
    expect(runs.list).toHaveLength(150);
  });

  it('loses what is deleted, but not what is running', async () => {
    const [one, two] = ran(2);
    runs.open();
    await flushPromises();
    runs.selection.toggle(one ?? '');
    runs.selection.toggle(two ?? '');
    runs.selection.toggle(two ?? '');
    expect(runs.selection.marked).toEqual([one]);
    runs.selection.select(one ?? '');
    expect(await runs.remove([one ?? ''])).toBeNull();
    expect(runs.selection).toMatchObject({ run: null, marked: [] });
    expect(ids()).toEqual([two]);
    b.core.failing.set('run/delete', fail('readOnly', 'the folder can’t be written to'));
    expect(await runs.remove([two ?? ''])).toMatchObject({ code: 'readOnly' });
    expect(ids()).toEqual([two]);
  });
});

describe('the shown run', () => {
  let view: RunView;
  let asked: string[][];
  let approves: boolean;

  beforeEach(async () => {
    runs.open();
    await flushPromises();
    [asked, approves] = [[], true];
    view = new RunView(b.client, runs, (gates) => {
      asked.push(gates.map(({ label }) => label));
      return Promise.resolve(approves ? gates.map(({ key }) => key) : []);
    });
  });

  it('shows its last execution, and another one when asked', async () => {
    const first = b.core.runs.trace({ run_id: 'r', artifact_kind: 'description' });
    const second = b.core.runs.trace({ run_id: 'r' });
    view.show('r');
    await flushPromises();
    expect(view.trace?.id).toBe(second.id);
    view.choose(first.id);
    expect(view.trace?.id).toBe(first.id);
  });

  it('follows it while it goes on', async () => {
    b.core.runs.trace({ run_id: 'r', status: 'running', duration_ms: null, completed_at: null });
    view.show('r');
    await flushPromises();
    expect(view.run?.status).toBe('running');
    Object.assign(b.core.runs.traces[0] ?? {}, { status: 'ok' });
    b.core.emit('run', ['other']);
    await flushPromises();
    expect(view.run?.status).toBe('running');
    b.core.emit('run', ['r']);
    await flushPromises();
    expect(view.run?.status).toBe('ok');
  });

  it('is run again with another model, and followed', async () => {
    const [first] = ran(1);
    runs.selection.select(first ?? '');
    view.show(first ?? '');
    await flushPromises();
    if (view.trace) await view.replay.start(view.trace, 'claude/claude-haiku');
    expect(b.core.callsOf('run/replay')).toMatchObject([{ model: 'claude/claude-haiku' }]);
    expect(runs.selection.run).not.toBe(first);
    expect(view.replay.result).toEqual({ before: first, after: runs.selection.run });
  });

  it('doesn’t take the person away from another one', async () => {
    const [first, other] = ran(2);
    runs.selection.select(first ?? '');
    view.show(first ?? '');
    await flushPromises();
    b.core.hold('run/replay');
    const running = view.trace && view.replay.start(view.trace);
    runs.selection.select(other ?? '');
    b.core.release('run/replay');
    await running;
    expect(runs.selection.run).toBe(other);
  });

  it.each([true, false])('is run again once its gates are approved; approved: %s', async (yes) => {
    const [first] = ran(1);
    runs.selection.select(first ?? '');
    view.show(first ?? '');
    await flushPromises();
    b.core.runs.gates = [{ key: 'figures', label: 'The figures are right' }];
    approves = yes;
    if (view.trace) await view.replay.start(view.trace, 'claude/claude-haiku');
    expect(asked).toEqual([['The figures are right']]);
    const calls = b.core.callsOf('run/replay');
    expect(calls.map(({ approve, model }) => [approve, model])).toEqual([[undefined, 'claude/claude-haiku'], [['figures'], 'claude/claude-haiku']].slice(0, yes ? 2 : 1));
    expect(view.replay).toMatchObject(yes ? { trace: null, failure: null, result: { before: first, after: calls[1]?.['run'] } } : { trace: null, failure: { code: 'approvalRequired' }, result: null });
    expect(runs.selection.run === first).toBe(!yes);
  });

  it('says why it can’t be run again', async () => {
    const [first] = ran(1);
    view.show(first ?? '');
    await flushPromises();
    b.core.failing.set('run/replay', fail('noModel', 'no model is configured'));
    if (view.trace) await view.replay.start(view.trace);
    expect(view.replay).toMatchObject({ trace: null, result: null, failure: { code: 'noModel' } });
  });

  it('is run again with the same model once the workspace is trusted', async () => {
    const [first] = ran(1);
    runs.selection.select(first ?? '');
    view.show(first ?? '');
    await flushPromises();
    b.core.failing.set('run/replay', fail('notTrusted', 'its values are in a workspace that isn’t trusted'));
    if (view.trace) await view.replay.start(view.trace, 'claude/claude-haiku');
    expect(view.replay.failure?.code).toBe('notTrusted');
    view.replay.trusted();
    expect(view.replay.failure).toBeNull();
    b.core.failing.clear();
    await view.replay.retry();
    expect(b.core.callsOf('run/replay').map((call) => call['model'])).toEqual(['claude/claude-haiku', 'claude/claude-haiku']);
    expect(view.replay.result?.before).toBe(first);
  });

  it('lists the runs that it called, with what they used beside its own', async () => {
    b.core.runs.trace({ run_id: 'r', artifact_kind: 'description', model_id: null, input_tokens: 90, output_tokens: null, estimated_cost: null });
    b.core.runs.trace({ run_id: 'r', artifact_kind: 'code_template', model_id: null, input_tokens: null, output_tokens: null, estimated_cost: null });
    b.core.runs.trace({ run_id: 'first', parent_run_id: 'r', skill_slug: 'other', input_tokens: 100, output_tokens: 10, estimated_cost: 0.5 });
    b.core.runs.trace({ run_id: 'second', parent_run_id: 'r', skill_slug: 'other', input_tokens: 200, output_tokens: 20, estimated_cost: null });
    b.core.runs.trace({ run_id: 'third', parent_run_id: 'first', estimated_cost: 7 });
    view.show('r');
    await flushPromises();
    expect(view.run?.called.map((one) => one.run_id)).toEqual(['first', 'second']);
    expect(view.run && usesOf({ ...view.run, input_tokens: null })).toEqual({
      own: { input_tokens: null, output_tokens: null, estimated_cost: null, unpriced: 0 },
      withCalled: { input_tokens: 300, output_tokens: 30, estimated_cost: 0.5, unpriced: 1 },
    });
  });

  it('follows the runs that it called', async () => {
    b.core.runs.trace({ run_id: 'r' });
    const child = b.core.runs.trace({ run_id: 'child', parent_run_id: 'r', status: 'running', duration_ms: null, completed_at: null });
    view.show('r');
    await flushPromises();
    expect(view.run?.called[0]?.status).toBe('running');
    Object.assign(child, { status: 'ok' });
    b.core.emit('run', ['child']);
    await flushPromises();
    expect(view.run?.called[0]?.status).toBe('ok');
  });

  it('has its executions on one scale', () => {
    const at = (ms: number): string => new Date(Date.UTC(2026, 2, 14) + ms).toISOString();
    b.core.runs.trace({ run_id: 'r', started_at: at(0), duration_ms: 250 });
    b.core.runs.trace({ run_id: 'r', started_at: at(250), duration_ms: 750 });
    b.core.runs.trace({ run_id: 'r', started_at: at(1000), duration_ms: null, status: 'running' });
    const run = { ...b.core.runs.run('r'), started_at: at(0) };
    const bars = barsOf(run, Date.UTC(2026, 2, 14) + 2000);
    expect(bars.map(({ from, width }) => [from, width])).toEqual([[0, 12.5], [12.5, 37.5], [50, 50]]);
  });

  it('keeps the scale when the clock was set between two executions', () => {
    b.core.runs.trace({ run_id: 'r', started_at: '2026-03-14T12:00:00Z', duration_ms: 250 });
    b.core.runs.trace({ run_id: 'r', started_at: '2026-03-14T09:00:00Z', duration_ms: 750 });
    const bars = barsOf(b.core.runs.run('r'));
    expect(bars.map(({ from, width }) => [from, width])).toEqual([[0, 25], [25, 75]]);
  });
});

describe('a comparison', () => {
  it('holds like against like, the older one on the left', async () => {
    b.core.runs.trace({ run_id: 'old', artifact_path: 'a.j2', raw_output: 'x' });
    b.core.runs.trace({ run_id: 'old', artifact_path: 'b.j2', raw_output: 'y', estimated_cost: null });
    const counterpart = b.core.runs.trace({ run_id: 'new', artifact_path: 'b.j2', raw_output: 'z', estimated_cost: 0 });
    b.core.runs.trace({ run_id: 'new', artifact_path: 'c.j2' });
    const compare = new Compare(b.client);
    await compare.show('new', 'old');
    expect(compare.left).toMatchObject({ artifact_path: 'b.j2', raw_output: 'y' });
    expect(compare.right?.id).toBe(counterpart.id);
    expect(compare.rows.find((row) => row.label === 'Estimated cost')).toEqual({ label: 'Estimated cost', left: 'unknown', right: 'free', differs: true });
    expect(compare.rows.find((row) => row.label === 'Model')?.differs).toBe(false);
  });

  it('shows values line by line, and texts as they are', async () => {
    const value = b.core.runs.trace({ run_id: 'old', raw_output: '{"a":1}', rendered_input: 'Give {"a":1}' });
    b.core.runs.trace({ run_id: 'new' });
    const compare = new Compare(b.client);
    await compare.show('old', 'new');
    expect(compare.textOf(value)).toBe('{\n  "a": 1\n}');
    compare.part = 'input';
    expect(compare.textOf(value)).toBe('Give {"a":1}');
  });

  it('says when one of them was deleted', async () => {
    ran(1);
    const compare = new Compare(b.client);
    await compare.show('deleted', b.core.runs.traces[0]?.run_id ?? '');
    expect(compare).toMatchObject({ runs: null, failure: { code: 'notFound' } });
  });
});

describe('usage', () => {
  it('is of what the list shows', async () => {
    ran(2);
    ran(1, { model_id: 'gpt', estimated_cost: null, input_tokens: null, output_tokens: null });
    const usage = new Usage(b.client, runs);
    usage.choose('model');
    await flushPromises();
    expect(usage.rows.map((row) => [row.key, row.traces])).toEqual([['claude-sonnet', 2], ['gpt', 1]]);
    expect(usage.totals).toMatchObject({ runs: 3, input: 624, output: 80 });
    runs.query.set({ model: 'gpt' });
    usage.retry();
    await flushPromises();
    expect(usage.rows.map((row) => row.key)).toEqual(['gpt']);
  });

  it('says that a cost is at least that, or unknown, where prices aren’t known', async () => {
    const usage = new Usage(b.client, runs);
    usage.choose('model');
    const cost = async (): Promise<string> => {
      usage.retry();
      await flushPromises();
      return usage.totals.cost;
    };
    expect(await cost()).toBe('');
    ran(1, { model_id: 'gpt', estimated_cost: null });
    expect(await cost()).toBe('unknown');
    ran(1, { model_id: 'local', estimated_cost: 0 });
    expect(await cost()).toBe('unknown');
    ran(1, { estimated_cost: 0.25 });
    expect(await cost()).toBe('at least $0.25');
    expect(usage.rows.map(costOf)).toEqual(['unknown', 'free', '$0.25']);
  });

  it('has a point for each day, also for those without runs', () => {
    const row = (key: string, runs: number): Parameters<typeof daily>[0][number] => ({ key, runs, traces: 1, errors: 0, input_tokens: null, output_tokens: null, estimated_cost: null, unpriced: 0, mean_ms: null, assertions_run: 0, assertions_passed: 0 });
    const [days, values] = daily([row('2026-03-01', 2), row('2026-03-12', 5)], (one) => one.runs);
    expect(days).toHaveLength(12);
    expect([values[0], values[1], values.at(-1)]).toEqual([2, 0, 5]);
    expect(daily([row('2026-03-12', 5)], (one) => one.runs)[0]).toHaveLength(7);
    expect(daily([], (one) => one.runs)).toEqual([[], []]);
  });
});
