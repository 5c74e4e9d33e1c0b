import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { Reoptimization } from './reoptimization.svelte';
import { OptimizeState, type Target, defaultMetric } from './optimize.svelte';

let b: Bench;
let optimize: OptimizeState;
let target: Target | null;
let trusts = true;
const ended: unknown[] = [];

const wait = async (): Promise<void> => {
  await vi.advanceTimersByTimeAsync(400);
  await flushPromises();
};
const started = (): Record<string, unknown> => b.core.callsOf('optimize/start').at(-1) ?? {};

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  ended.length = 0;
  trusts = true;
  target = { scope: 'account', skillId: b.core.find('consistency-checker').summary.id, path: 'dspy/dspy-checker.json' };
  optimize = new OptimizeState(b.client, b.feed, {
    target: () => target,
    save: () => Promise.resolve(true),
    trust: () => Promise.resolve(trusts),
    ended: (_, outcome) => ended.push(outcome.proposal?.id ?? null),
  });
});

describe('examples', () => {
  it('are counted a moment after the typing', async () => {
    optimize.setup.examples.from = 'lines';
    optimize.setup.examples.lines = '{"claims": []}';
    optimize.touch();
    optimize.touch();
    expect(optimize.examples.loading).toBe(true);
    await wait();
    expect(optimize.examples.found).toMatchObject({ count: 3, with_outputs: 2 });
    expect(b.core.callsOf('optimize/examples')).toMatchObject([{ artifact: 'dspy/dspy-checker.json', source: { from: 'lines', text: '{"claims": []}' } }]);
    optimize.setup.examples.lines = '';
    optimize.touch();
    await wait();
    expect([optimize.examples.found, optimize.examples.loading]).toEqual([null, false]);
  });

  it('of earlier runs are counted again after a run', async () => {
    optimize.follow();
    await wait();
    b.core.emit('run', ['r']);
    await wait();
    expect(b.core.callsOf('optimize/examples')).toHaveLength(2);
  });

  it('that can’t be read say why', async () => {
    b.core.failing.set('optimize/examples', fail('io', '/x can’t be read'));
    optimize.follow();
    await wait();
    expect(optimize.examples.failure?.message).toContain('/x');
  });
});

describe('an optimization', () => {
  it('tells how far it is, and ends with a proposal', async () => {
    b.core.hold('optimize/start');
    const running = optimize.start();
    await flushPromises();
    const run = started()['run'] as string;
    b.core.programs.tell({ run, seq: 1, kind: 'trial', trace: 't', score: 0.5, input_tokens: 10, output_tokens: 2, estimated_cost: null });
    b.core.programs.tell({ run, seq: 0, kind: 'progress', trace: 't', fraction: 0.25, text: 'Judging' });
    b.core.programs.tell({ run, seq: 2, kind: 'trial', trace: 't', score: null, input_tokens: 20, output_tokens: 4, estimated_cost: 0.1 });
    b.core.programs.tell({ run, seq: 3, kind: 'log', trace: 't', text: 'a line\n' });
    expect(optimize.live).toMatchObject({ running: true, progress: { fraction: 0.25, text: 'Judging' }, scores: [0.5], best: 0.5, usage: { input_tokens: 20, estimated_cost: 0.1 }, log: { text: 'a line\n' } });
    b.core.release('optimize/start');
    await running;
    expect(optimize.live?.running).toBe(false);
    expect(optimize.live?.outcome?.proposal?.status).toBe('open');
    expect(ended).toEqual([optimize.live?.outcome?.proposal?.id]);
    expect(started()).toMatchObject({ optimizer: 'bootstrap_few_shot', source: { from: 'traces' }, valset_fraction: 0.3 });
    optimize.clear();
    expect(optimize.live).toBeNull();
  });

  it('goes on while another program is in front, each with its own set-up', async () => {
    b.core.hold('optimize/start');
    optimize.setup.examples.from = 'lines';
    optimize.setup.examples.lines = 'x';
    const running = optimize.start();
    await flushPromises();
    target = { scope: 'account', skillId: 'skill-1', path: 'dspy/other.json' };
    const other = new OptimizeState(b.client, b.feed, { target: () => target, save: () => Promise.resolve(true), trust: () => Promise.resolve(true), ended: () => undefined });
    expect([other.live, other.setup.examples.lines]).toEqual([null, '']);
    b.core.release('optimize/start');
    await running;
  });

  it('is stopped, and proposes nothing', async () => {
    b.core.hold('optimize/start');
    const running = optimize.start();
    await flushPromises();
    await optimize.cancel();
    expect(optimize.live?.state).toBe('canceling');
    b.core.release('optimize/start');
    await running;
    expect(optimize.live).toMatchObject({ state: 'ended', failure: { code: 'cancelled' }, outcome: { proposal: null } });
  });

  it('asks for trust once, and says no more without it', async () => {
    b.core.failing.set('optimize/start', fail('notTrusted', 'the workspace isn’t trusted'));
    await optimize.start();
    expect(b.core.callsOf('optimize/start')).toHaveLength(2);
    trusts = false;
    await optimize.start();
    expect(b.core.callsOf('optimize/start')).toHaveLength(3);
    expect(optimize.live?.failure?.code).toBe('notTrusted');
  });

  it('says when it found nothing better, which isn’t a failure', async () => {
    b.core.programs.finds = false;
    await optimize.start();
    expect(optimize.live).toMatchObject({ foundNothing: true, failure: null });
    optimize.clear();
    b.core.programs.failure = fail('model', 'overloaded');
    await optimize.start();
    expect(optimize.live?.foundNothing).toBe(false);
  });

  it('is begun with its limits', async () => {
    Object.assign(optimize.setup.limits.texts, { cost: '2', minutes: '10' });
    await optimize.start();
    expect(started()['limits']).toEqual({ cost: 2, seconds: 600 });
  });

  it('isn’t begun with a limit that is none', async () => {
    optimize.setup.limits.texts.cost = 'much';
    await optimize.start();
    expect(b.core.callsOf('optimize/start')).toEqual([]);
  });
});

it('without a choice assertions judge, else the first output', () => {
  expect(defaultMetric(true, ['a'])).toEqual({ type: 'assertions' });
  expect(defaultMetric(false, ['a', 'b'])).toEqual({ type: 'exact', field: 'a' });
});

describe('what another version optimized', () => {
  const outdated = (artifact: string, again = true): (typeof b.core.programs.outdated)[number] => ({
    skill: 'consistency-checker', title: 'Consistency Checker', scope: 'account', artifact, path: `dspy/${artifact}.json`, dspy: '3.1.0', again,
  });
  let reported: (readonly string[])[];
  let reoptimization: Reoptimization;

  beforeEach(async () => {
    reported = [];
    b.core.programs.outdated = [outdated('one'), outdated('two', false), outdated('three')];
    reoptimization = new Reoptimization(b.client, b.feed, (proposals) => reported.push(proposals));
    await reoptimization.outdated.load();
  });

  it('is optimized again one after the other, where that is known', async () => {
    expect(reoptimization.outdated.reoptimizable).toHaveLength(2);
    b.core.hold('optimize/repeat');
    const running = reoptimization.start();
    await flushPromises();
    expect(reoptimization.current?.artifact.artifact).toBe('one');
    b.core.programs.tell({ run: b.core.callsOf('optimize/repeat')[0]?.['run'] as string, seq: 0, kind: 'progress', trace: 't', fraction: 0.5, text: 'x' });
    expect(reoptimization.fraction).toBe(0.25);
    b.core.release('optimize/repeat');
    await running;
    expect(b.core.callsOf('optimize/repeat').map((one) => one['artifact'])).toEqual(['dspy/one.json', 'dspy/three.json']);
    expect([reoptimization.running, reported]).toEqual([false, [reoptimization.proposed]]);
    expect(reoptimization.proposed).toEqual(b.core.programs.proposals.map((one) => one.id).reverse());
  });

  it('shows its usage while it runs', async () => {
    b.core.hold('optimize/repeat');
    const running = reoptimization.start();
    await flushPromises();
    expect(reoptimization.usage).toEqual({ input_tokens: null, output_tokens: null, estimated_cost: null, unpriced: 0 });
    const run = b.core.callsOf('optimize/repeat')[0]?.['run'] as string;
    b.core.programs.tell({ run, seq: 0, kind: 'trial', trace: 't', score: 0.5, input_tokens: 20, output_tokens: 4, estimated_cost: 0.1 });
    expect(reoptimization.usage).toMatchObject({ input_tokens: 20, output_tokens: 4, estimated_cost: 0.1 });
    b.core.release('optimize/repeat');
    await running;
    expect(reoptimization.usage).toMatchObject({ input_tokens: 200, output_tokens: 40, estimated_cost: 0.02 });
  });

  it.each([['', {}], [' $0.25', { cost: 0.25 }], ['2', { cost: 2 }]])('is limited by %j', async (text, limits) => {
    reoptimization.limit.text = text;
    expect(reoptimization.limit.problem).toBe('');
    await reoptimization.start();
    expect(b.core.callsOf('optimize/repeat').map((one) => one['limits'])).toEqual([limits, limits]);
  });

  it.each(['0', '-1', 'much', '1,5'])('isn’t begun with %j as a limit', async (text) => {
    reoptimization.limit.text = text;
    expect(reoptimization.limit.problem).not.toBe('');
    await reoptimization.start();
    expect(b.core.callsOf('optimize/repeat')).toEqual([]);
  });

  it('stops with the one that goes on', async () => {
    b.core.hold('optimize/repeat');
    const running = reoptimization.start();
    await flushPromises();
    await reoptimization.cancel();
    b.core.release('optimize/repeat');
    await running;
    expect(b.core.callsOf('optimize/repeat')).toHaveLength(1);
    expect(reoptimization.items.map((one) => one.live?.failure?.code ?? null)).toEqual(['cancelled', null]);
    expect(reported).toEqual([[]]);
  });

  it('one that fails doesn’t hold up the next', async () => {
    b.core.programs.failure = fail('limit', 'too much');
    await reoptimization.start();
    expect([reoptimization.done, reoptimization.proposed]).toEqual([2, []]);
  });
});
