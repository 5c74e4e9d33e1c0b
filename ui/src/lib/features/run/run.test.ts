import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import type { Limits, Params, RunEvent } from '$lib/api/generated';
import { RunState, type RunTarget } from './run.svelte';

let b: Bench;
let run: RunState;
let target: RunTarget | null;
let params: Params;
let limits: Limits;
let invalid: string[];
let saves: RunTarget[];
let canSave: boolean;
let trusts: number;
let trust: boolean;
let asked: string[][];
let approves: boolean;

const PROMPT = 'prompts/check-prompt.j2';

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  b.core.runs.addProvider();
  await b.models.load();
  target = { scope: 'account', skillId: b.core.find('consistency-checker').summary.id, artifact: PROMPT };
  params = { entity_name: 'Aria', claims: [{ text: 'She is 30' }] };
  limits = {};
  invalid = [];
  saves = [];
  canSave = true;
  trusts = 0;
  trust = true;
  asked = [];
  approves = true;
  run = new RunState(b.client, b.feed, b.models, {
    target: () => target,
    ready: () => Promise.resolve(),
    params: () => params,
    limits: () => limits,
    invalidFields: () => invalid,
    save: (one) => {
      saves.push(one);
      return Promise.resolve(canSave);
    },
    approve: (gates) => {
      asked.push(gates.map(({ label }) => label));
      return Promise.resolve(approves ? gates.map(({ key }) => key) : []);
    },
    trust: () => {
      trusts += 1;
      if (trust) b.core.runs.trusted = true;
      return Promise.resolve(trust);
    },
  });
});

/** Starts, and holds the answer back. */
async function begin(): Promise<string> {
  b.core.hold('run/start');
  void run.start();
  await flushPromises();
  return run.live?.id ?? '';
}

async function end(): Promise<void> {
  b.core.release('run/start');
  await flushPromises();
}

type NewEvent = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, 'run' | 'seq'> : never) : never;
const tell = (id: string, seq: number, what: NewEvent): void => b.core.runs.tell({ run: id, seq, ...what });
const began = (trace = 't-1', fallback_of: string | null = null): NewEvent => ({ kind: 'began', trace, name: 'Check Prompt', path: PROMPT, artifact_kind: 'prompt_template', context: false, fallback_of });
const text = (piece: string, trace = 't-1'): NewEvent => ({ kind: 'text', trace, text: piece });

describe('the estimate', () => {
  it('shows tokens and cost before the run', async () => {
    run.planning.touch();
    await vi.advanceTimersByTimeAsync(200);
    expect(run.planning.estimate).toBe('312 tokens, from $0.0009');
    expect(b.core.callsOf('run/start')).toEqual([]);
  });

  it('doesn’t call an unknown price nothing, nor a local model unknown', async () => {
    const plan = { ...b.core.runs.plan({ skill: target?.skillId ?? '', artifact: PROMPT, params }), input_cost: null };
    run.planning.plan = plan;
    expect(run.planning.estimate).toBe('312 tokens, cost unknown');
    b.core.runs.addProvider('ollama', ['llama'], { kind: 'ollama' });
    await b.models.load();
    run.planning.plan = { ...plan, model: 'ollama/llama' };
    expect(run.planning.estimate).toBe('312 tokens, free');
  });

  it('is of what is in front, not of what was', async () => {
    run.planning.touch();
    await vi.advanceTimersByTimeAsync(200);
    b.core.hold('run/plan');
    run.planning.touch();
    await vi.advanceTimersByTimeAsync(200);
    target = { scope: 'account', skillId: b.core.find('timeline-builder').summary.id, artifact: null };
    run.planning.touch();
    expect(run.planning.plan).toBeNull();
    b.core.release('run/plan');
    await flushPromises();
    expect(run.planning.plan).toBeNull();
    await vi.advanceTimersByTimeAsync(200);
    expect(run.planning.plan).toMatchObject({ steps: [{ name: 'Order' }] });
  });
});

describe('a run', () => {
  it('shows text as it comes, and ends with what the call answers', async () => {
    const id = await begin();
    expect(b.core.callsOf('run/start')).toMatchObject([{ run: id, artifact: PROMPT, params }]);
    tell(id, 0, began());
    tell(id, 1, { kind: 'rendered', trace: 't-1', text: 'Given' });
    tell(id, 2, text('No contra'));
    expect(run.live).toMatchObject({ state: 'running', text: 'No contra', sent: 'Given' });
    tell(id, 3, text('dictions'));
    expect(run.live?.text).toBe('No contradictions');
    await end();
    expect(run.live).toMatchObject({ state: 'ended', status: 'ok', text: 'No contradictions.' });
    expect(run.live?.steps).toHaveLength(1);
    // As it is kept, and not as long as this window waited.
    expect([run.live?.duration, run.live?.elapsed(0)]).toEqual([1500, 0]);
  });

  it('takes events in their order, each once', async () => {
    const id = await begin();
    tell(id, 2, text('b'));
    tell(id, 0, began());
    tell(id, 1, text('a'));
    tell(id, 1, text('a'));
    tell(id, 3, text('c'));
    expect(run.live?.text).toBe('abc');
  });

  it('goes on without an event that never comes', async () => {
    const id = await begin();
    tell(id, 0, began());
    tell(id, 2, text('later'));
    expect(run.live?.text).toBe('');
    await vi.advanceTimersByTimeAsync(400);
    expect(run.live?.text).toBe('later');
    tell(id, 1, text('too late '));
    await vi.advanceTimersByTimeAsync(400);
    expect(run.live?.text).toBe('later');
  });

  it('ignores what comes after its end, and what belongs to another', async () => {
    const id = await begin();
    tell('another', 0, began());
    expect(run.live?.steps).toEqual([]);
    await end();
    tell(id, 0, began());
    tell(id, 1, text('late'));
    run.live?.apply({ run: id, seq: 0, kind: 'began', trace: 't-9', name: 'Late', path: PROMPT, artifact_kind: 'prompt_template', context: false, fallback_of: null });
    await vi.advanceTimersByTimeAsync(400);
    expect(run.live).toMatchObject({ text: 'No contradictions.', steps: [{ status: 'ok' }] });
  });

  it('is stopped, and started again after that', async () => {
    const id = await begin();
    await run.cancel();
    expect(run.live?.state).toBe('canceling');
    expect(b.core.callsOf('run/cancel')).toEqual([{ run: id }]);
    await run.cancel();
    expect(b.core.callsOf('run/cancel')).toHaveLength(1);
    await end();
    expect(run.live?.status).toBe('cancelled');
    await run.start();
    expect(run.live).toMatchObject({ status: 'ok' });
    expect(run.live?.id).not.toBe(id);
  });

  it('goes on when the stop fails, but not when it had ended', async () => {
    await begin();
    b.core.failing.set('run/cancel', fail('io', 'no'));
    await run.cancel();
    expect(run.live?.state).toBe('running');
    b.core.failing.set('run/cancel', fail('notFound', 'not running'));
    await run.cancel();
    expect(run.live?.state).toBe('canceling');
  });

  it('isn’t started twice', async () => {
    await begin();
    await run.start();
    expect(b.core.callsOf('run/start')).toHaveLength(1);
  });

  it('stays with its file', async () => {
    await run.start();
    const first = target;
    target = { scope: 'account', skillId: b.core.find('timeline-builder').summary.id, artifact: null };
    expect(run.live).toBeNull();
    target = first;
    expect(run.live?.status).toBe('ok');
  });

  it('tells its time by no clock that can be set', async () => {
    await begin();
    vi.setSystemTime(Date.now() + 3 * 3_600_000);
    await vi.advanceTimersByTimeAsync(1250);
    expect(run.live?.elapsed(run.now)).toBeLessThan(2000);
    vi.setSystemTime(Date.now() - 6 * 3_600_000);
    await end();
    expect(run.live?.elapsed(run.now)).toBeGreaterThanOrEqual(1200);
  });

  it('tells its time', async () => {
    await begin();
    await vi.advanceTimersByTimeAsync(1250);
    expect(run.live?.elapsed(run.now)).toBeGreaterThanOrEqual(1200);
    await end();
    const took = run.live?.elapsed(run.now);
    await vi.advanceTimersByTimeAsync(5000);
    expect(run.live?.elapsed(run.now)).toBe(took);
  });

  it('marks the one that stood in for another', async () => {
    const id = await begin();
    tell(id, 0, began('t-1'));
    tell(id, 1, { kind: 'ended', trace: b.core.runs.trace({ id: 't-1', status: 'fallback', error: 'no sidecar' }) });
    tell(id, 2, began('t-2', 't-1'));
    expect(run.live?.steps).toMatchObject([{ status: 'fallback' }, { status: 'running', fallbackOf: 't-1' }]);
    expect(run.live?.fallbacks).toMatchObject([{ step: { trace: 't-1' }, fallback: { fallbackOf: 't-1' } }]);
    // What the run says of it isn’t said above it too.
    const plan = b.core.runs.plan({ skill: target?.skillId ?? '', artifact: PROMPT, params });
    run.planning.plan = { ...plan, steps: plan.steps.map((step) => ({ ...step, kind: 'dspy_module', fallback: 'Ask', unavailable: 'no sidecar' })) };
    expect(run.planning.unavailable).toEqual([]);
  });
});

describe('a script', () => {
  const log = (piece: string): NewEvent => ({ kind: 'log', trace: 't-1', text: piece });
  const progress = (fraction: number, words: string): NewEvent => ({ kind: 'progress', trace: 't-1', fraction, text: words });

  it('shows its log and how far it is, until it ended', async () => {
    const id = await begin();
    tell(id, 0, began());
    tell(id, 1, log('read 3 pages\n'));
    tell(id, 2, progress(0.25, 'Comparing'));
    tell(id, 3, log('compared\n'));
    await vi.advanceTimersByTimeAsync(100);
    expect(run.live?.logStep?.log).toEqual({ text: 'read 3 pages\ncompared\n', cut: false });
    expect(run.live?.outputStep?.progress).toEqual({ fraction: 0.25, text: 'Comparing' });
    tell(id, 4, log('done\n'));
    tell(id, 5, { kind: 'ended', trace: b.core.runs.trace({ id: 't-1', log: 'read 3 pages\ncompared\ndone\nlate\n' }) });
    expect(run.live?.logStep?.log.text).toBe('read 3 pages\ncompared\ndone\nlate\n');
    expect(run.live?.outputStep?.progress).toBeNull();
  });

  it('whose answer overtakes its last lines shows each once', async () => {
    const id = await begin();
    tell(id, 0, began());
    tell(id, 1, log('one\n'));
    await vi.advanceTimersByTimeAsync(100);
    tell(id, 2, log('two\n'));
    const trace = b.core.runs.trace({ id: 't-1', log: 'one\ntwo\nthree\n' });
    const usage = { input_tokens: null, output_tokens: null, estimated_cost: null };
    run.live?.finish({ run: id, session: 's-1', status: 'ok', text: null, value: null, error: null, traces: [trace], gates: [], ...usage });
    expect(run.live?.logStep?.log.text).toBe('one\ntwo\nthree\n');
  });

  it('that writes a lot changes the screen a few times only', async () => {
    const id = await begin();
    tell(id, 0, began());
    const { steps } = run.live ?? {};
    for (let seq = 1; seq <= 5_000; seq += 1) tell(id, seq, log(`line ${seq}\n`));
    expect(run.live?.steps).toBe(steps);
    await vi.advanceTimersByTimeAsync(100);
    const shown = run.live?.logStep?.log;
    expect(shown?.cut).toBe(true);
    expect(shown?.text.endsWith('line 5000\n')).toBe(true);
    expect(shown?.text.split('\n').length).toBeLessThanOrEqual(2_000);
  });

  it('says where it failed', async () => {
    const id = await begin();
    tell(id, 0, began());
    const detail = { outcome: 'exception' as const, traceback: 'Traceback\n', line: 7 };
    tell(id, 1, { kind: 'ended', trace: b.core.runs.trace({ id: 't-1', status: 'error', detail }) });
    expect(run.live?.failed?.detail).toEqual(detail);
  });
});

it('is started with the limits of its skill', async () => {
  limits = { tokens: 500 };
  await run.start();
  expect(b.core.callsOf('run/start')).toMatchObject([{ limits: { tokens: 500 } }]);
});

describe('before a run', () => {
  it('what is unsaved is saved, or nothing runs', async () => {
    canSave = false;
    await run.start();
    expect(saves).toEqual([target]);
    expect(b.core.callsOf('run/start')).toEqual([]);
    expect(run.preparing).toBe(false);
  });

  it('focuses a field that can’t be read', async () => {
    invalid = ['claims'];
    await run.start();
    expect(run.fieldToFocus).toEqual({ name: 'claims' });
    expect(saves).toEqual([]);
  });

  it.each([[true, 'ok'], [false, 'error']] as const)('gates are asked for before it runs; approved: %s', async (yes, status) => {
    b.core.runs.gates = [{ key: 'figures', label: 'The figures are right' }];
    approves = yes;
    await run.start();
    expect(asked).toEqual([['The figures are right']]);
    expect(run.live?.status).toBe(status);
    expect(b.core.callsOf('run/start').map(({ approve }) => approve)).toEqual(yes ? [undefined, ['figures']] : [undefined]);
  });

  it('a workspace is to be trusted, once', async () => {
    b.client.workspace = '/home/ada/notes';
    b.core.runs.trusted = false;
    target = { scope: 'workspace', skillId: b.core.find('link-auditor', 'workspace').summary.id, artifact: 'scripts/audit.sh' };
    await run.start();
    expect(trusts).toBe(1);
    expect(run.live?.status).toBe('ok');
    await run.start();
    expect(trusts).toBe(1);
  });

  it('a workspace that isn’t trusted runs nothing', async () => {
    b.client.workspace = '/home/ada/notes';
    b.core.runs.trusted = false;
    trust = false;
    target = { scope: 'workspace', skillId: b.core.find('link-auditor', 'workspace').summary.id, artifact: 'scripts/audit.sh' };
    run.planning.touch();
    await vi.advanceTimersByTimeAsync(200);
    await run.start();
    expect(trusts).toBe(1);
    expect(b.core.callsOf('run/start')).toEqual([]);
  });
});

describe('a failure', () => {
  it('for a missing value goes to its field', async () => {
    params = { entity_name: 'Aria' };
    await run.start();
    expect(run.live).toMatchObject({ refused: true, failure: { code: 'invalid' } });
    expect(run.fieldToFocus).toEqual({ name: 'claims' });
  });

  it('without a model shows what would be sent', async () => {
    b.core.runs.default = null;
    await run.start();
    expect(run.live).toMatchObject({ refused: false, status: 'error', failure: { code: 'noModel' } });
    expect(run.live?.sent).toContain('about "Aria"');
  });

  it('of an assertion that must hold keeps the output', async () => {
    b.core.runs.verdicts = [{ description: 'no names', assertion: 'not-contains', severity: 'hard', weight: 1, outcome: 'failed', score: null, explanation: 'it has a name' }];
    await run.start();
    expect(run.live).toMatchObject({ status: 'error', failure: { code: 'assertion' }, text: 'No contradictions.' });
    expect(run.live?.verdicts).toMatchObject([{ outcome: 'failed' }]);
  });

  it('of the model is shown unchanged', async () => {
    b.core.failing.set('run/start', fail('model', 'claude is overloaded', { hint: 'try again later' }));
    await run.start();
    expect(run.live).toMatchObject({ status: 'error', failure: { code: 'model', hint: 'try again later' } });
    b.core.failing.set('run/start', fail('cancelled', 'stopped'));
    await run.start();
    expect(run.live?.status).toBe('cancelled');
  });

  it('for what can’t run here isn’t said above it too, however late the plan comes', async () => {
    const plan = b.core.runs.plan({ skill: target?.skillId ?? '', artifact: PROMPT, params });
    const [step] = plan.steps;
    if (!step) throw new Error('no step');
    const unavailable = (name: string, fallback: string | null): typeof step => ({ ...step, name, path: `dspy/${name}.json`, kind: 'dspy_module', fallback, unavailable: 'the process ended' });
    const late = { ...plan, steps: [unavailable('stood-in', 'Ask'), unavailable('refused', null), unavailable('next', null)] };
    run.planning.plan = late;
    const said = (): string[] => run.planning.unavailable.map((one) => one.name);
    expect(said()).toEqual(['stood-in', 'refused', 'next']);
    run.planning.plan = null;
    b.core.failing.set('run/start', fail('notInstalled', 'refused can’t run', { fields: { kind: 'dspy_module' } }));
    await run.start();
    run.planning.plan = late;
    expect(said()).toEqual(['stood-in', 'next']);
    // A failure of something else says nothing of it.
    b.core.failing.set('run/start', fail('model', 'claude is overloaded'));
    await run.start();
    expect(said()).toEqual(['stood-in', 'refused', 'next']);
  });
});
