import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, settle } from '../../../../tests/support';
import { Again } from './again.svelte';
import { Optimize, type Target, usualMetric } from './optimize.svelte';

let b: Bench;
let optimize: Optimize;
let target: Target | null;
let trusts = true;
const ended: unknown[] = [];

const wait = async (): Promise<void> => {
  await vi.advanceTimersByTimeAsync(400);
  await settle();
};
const started = (): Record<string, unknown> => b.core.callsOf('optimize/start').at(-1) ?? {};

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  ended.length = 0;
  trusts = true;
  target = { scope: 'account', skillId: b.core.find('consistency-checker').summary.id, path: 'dspy/dspy-checker.json' };
  optimize = new Optimize(b.client, b.feed, {
    target: () => target,
    save: () => Promise.resolve(true),
    trust: () => Promise.resolve(trusts),
    ended: (_, outcome) => ended.push(outcome.proposal?.id ?? null),
  });
});

describe('examples', () => {
  it('are counted a moment after the typing', async () => {
    optimize.setup.from = 'lines';
    optimize.setup.lines = '{"claims": []}';
    optimize.touch();
    optimize.touch();
    expect(optimize.looking).toBe(true);
    await wait();
    expect(optimize.found).toMatchObject({ count: 3, with_outputs: 2 });
    expect(b.core.callsOf('optimize/examples')).toMatchObject([{ artifact: 'dspy/dspy-checker.json', source: { from: 'lines', text: '{"claims": []}' } }]);
    optimize.setup.lines = '';
    optimize.touch();
    await wait();
    expect([optimize.found, optimize.looking]).toEqual([null, false]);
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
    expect(optimize.foundFailure?.message).toContain('/x');
  });
});

describe('an optimization', () => {
  it('tells how far it is, and ends with a proposal', async () => {
    b.core.hold('optimize/start');
    const going = optimize.start();
    await settle();
    const run = started()['run'] as string;
    b.core.programs.tell({ run, seq: 1, kind: 'trial', trace: 't', score: 0.5, input_tokens: 10, output_tokens: 2, estimated_cost: null });
    b.core.programs.tell({ run, seq: 0, kind: 'progress', trace: 't', fraction: 0.25, text: 'Judging' });
    b.core.programs.tell({ run, seq: 2, kind: 'trial', trace: 't', score: null, input_tokens: 20, output_tokens: 4, estimated_cost: 0.1 });
    b.core.programs.tell({ run, seq: 3, kind: 'log', trace: 't', text: 'a line\n' });
    expect(optimize.live).toMatchObject({ going: true, progress: { fraction: 0.25, text: 'Judging' }, scores: [0.5], best: 0.5, spent: { input_tokens: 20, estimated_cost: 0.1 }, log: { text: 'a line\n' } });
    b.core.release('optimize/start');
    await going;
    expect(optimize.live?.going).toBe(false);
    expect(optimize.live?.outcome?.proposal?.status).toBe('open');
    expect(ended).toEqual([optimize.live?.outcome?.proposal?.id]);
    expect(started()).toMatchObject({ optimizer: 'bootstrap_few_shot', source: { from: 'traces' }, held_out: 0.3 });
    optimize.clear();
    expect(optimize.live).toBeNull();
  });

  it('goes on while another program is in front, each with its own set-up', async () => {
    b.core.hold('optimize/start');
    optimize.setup.from = 'lines';
    optimize.setup.lines = 'x';
    const going = optimize.start();
    await settle();
    target = { scope: 'account', skillId: 'skill-1', path: 'dspy/other.json' };
    const other = new Optimize(b.client, b.feed, { target: () => target, save: () => Promise.resolve(true), trust: () => Promise.resolve(true), ended: () => undefined });
    expect([other.live, other.setup.lines]).toEqual([null, '']);
    b.core.release('optimize/start');
    await going;
  });

  it('is stopped, and proposes nothing', async () => {
    b.core.hold('optimize/start');
    const going = optimize.start();
    await settle();
    await optimize.stop();
    expect(optimize.live?.state).toBe('stopping');
    b.core.release('optimize/start');
    await going;
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
    expect(optimize.live).toMatchObject({ nothing: true, failure: null });
    optimize.clear();
    b.core.programs.failure = fail('model', 'overloaded');
    await optimize.start();
    expect(optimize.live?.nothing).toBe(false);
  });

  it('is begun with its limits', async () => {
    Object.assign(optimize.setup.texts, { cost: '2', minutes: '10' });
    await optimize.start();
    expect(started()['limits']).toEqual({ cost: 2, seconds: 600 });
  });

  it('isn’t begun with a limit that is none', async () => {
    optimize.setup.texts.cost = 'much';
    await optimize.start();
    expect(b.core.callsOf('optimize/start')).toEqual([]);
  });
});

it('without a choice assertions judge, else the first output', () => {
  expect(usualMetric(true, ['a'])).toEqual({ type: 'assertions' });
  expect(usualMetric(false, ['a', 'b'])).toEqual({ type: 'exact', field: 'a' });
});

describe('what another version optimized', () => {
  const outdated = (artifact: string, again = true): (typeof b.core.programs.outdated)[number] => ({
    skill: 'consistency-checker', title: 'Consistency Checker', scope: 'account', artifact, path: `dspy/${artifact}.json`, dspy: '3.1.0', again,
  });
  let told: (readonly string[])[];
  let again: Again;

  beforeEach(async () => {
    told = [];
    b.core.programs.outdated = [outdated('one'), outdated('two', false), outdated('three')];
    again = new Again(b.client, b.feed, (proposals) => told.push(proposals));
    await again.load();
  });

  it('is optimized again one after the other, where that is known', async () => {
    expect(again.able).toHaveLength(2);
    b.core.hold('optimize/again');
    const going = again.start();
    await settle();
    expect(again.current?.artifact.artifact).toBe('one');
    b.core.programs.tell({ run: b.core.callsOf('optimize/again')[0]?.['run'] as string, seq: 0, kind: 'progress', trace: 't', fraction: 0.5, text: 'x' });
    expect(again.fraction).toBe(0.25);
    b.core.release('optimize/again');
    await going;
    expect(b.core.callsOf('optimize/again').map((one) => one['artifact'])).toEqual(['dspy/one.json', 'dspy/three.json']);
    expect([again.going, told]).toEqual([false, [again.proposed]]);
    expect(again.proposed).toEqual(b.core.programs.proposals.map((one) => one.id).reverse());
  });

  it('tells what it spent while it goes on', async () => {
    b.core.hold('optimize/again');
    const going = again.start();
    await settle();
    expect(again.spent).toEqual({ input_tokens: null, output_tokens: null, estimated_cost: null, unpriced: 0 });
    const run = b.core.callsOf('optimize/again')[0]?.['run'] as string;
    b.core.programs.tell({ run, seq: 0, kind: 'trial', trace: 't', score: 0.5, input_tokens: 20, output_tokens: 4, estimated_cost: 0.1 });
    expect(again.spent).toMatchObject({ input_tokens: 20, output_tokens: 4, estimated_cost: 0.1 });
    b.core.release('optimize/again');
    await going;
    expect(again.spent).toMatchObject({ input_tokens: 200, output_tokens: 40, estimated_cost: 0.02 });
  });

  it.each([['', {}], [' $0.25', { cost: 0.25 }], ['2', { cost: 2 }]])('is limited by %j', async (text, limits) => {
    again.cost = text;
    expect(again.problem).toBe('');
    await again.start();
    expect(b.core.callsOf('optimize/again').map((one) => one['limits'])).toEqual([limits, limits]);
  });

  it.each(['0', '-1', 'much', '1,5'])('isn’t begun with %j as a limit', async (text) => {
    again.cost = text;
    expect(again.problem).not.toBe('');
    await again.start();
    expect(b.core.callsOf('optimize/again')).toEqual([]);
  });

  it('stops with the one that goes on', async () => {
    b.core.hold('optimize/again');
    const going = again.start();
    await settle();
    await again.stop();
    b.core.release('optimize/again');
    await going;
    expect(b.core.callsOf('optimize/again')).toHaveLength(1);
    expect(again.items.map((one) => one.live?.failure?.code ?? null)).toEqual(['cancelled', null]);
    expect(told).toEqual([[]]);
  });

  it('one that fails doesn’t hold up the next', async () => {
    b.core.programs.failure = fail('limit', 'too much');
    await again.start();
    expect([again.done, again.proposed]).toEqual([2, []]);
  });
});
