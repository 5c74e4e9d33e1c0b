import { beforeEach, describe, expect, it } from 'vitest';
import type { RunGate } from '$lib/api/generated';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { GateApproval } from './gateApproval.svelte';
import { GateDecisions, reasonOf, reasonToAsk } from './gateDecisions.svelte';
import { LiveRun, outcomeOf } from './liveRun.svelte';
import { runOutcome } from './runTask';

const FIGURES = { key: 'figures', label: 'The figures are right' };
const TONE = { key: 'tone', label: 'The tone fits' };

describe('a question before runs', () => {
  let approval: GateApproval;

  beforeEach(() => (approval = new GateApproval()));

  it('is answered with the approved gates, or with none', async () => {
    const first = approval.ask([FIGURES, TONE]);
    approval.approve();
    expect(await first).toEqual(['figures', 'tone']);
    expect(approval.gates).toBeNull();
    const second = approval.ask([FIGURES]);
    approval.decline();
    expect(await second).toEqual([]);
  });

  it('is asked once for several runs, and answers each with its own gates', async () => {
    const answers = [approval.ask([FIGURES]), approval.ask([FIGURES, TONE])];
    expect(approval.gates).toEqual([FIGURES, TONE]);
    approval.approve();
    expect(await Promise.all(answers)).toEqual([['figures'], ['figures', 'tone']]);
  });

  it('names gates of one key that ask for different things', () => {
    void approval.ask([FIGURES]);
    void approval.ask([{ ...FIGURES, label: 'The sum is right' }]);
    expect(approval.gates?.map(({ label }) => label)).toEqual(['The figures are right', 'The sum is right']);
  });
});

describe('decisions on an output', () => {
  let b: Bench;
  let decisions: GateDecisions;
  let live: LiveRun;
  const gates = (): RunGate[] => decisions.of(live.id, live.outcome?.gates ?? []);
  const status = (): string => decisions.statusOf(live.id, live.outcome?.gates ?? []);

  beforeEach(async () => {
    fakeTimers();
    b = await bench();
    b.core.runs.addProvider();
    b.core.runs.outputGates = [{ ...TONE, when: 'after_draft', decision: null }, { ...FIGURES, when: 'low_confidence', decision: null }];
    decisions = new GateDecisions(b.client);
    live = new LiveRun('r');
    live.finish(b.core.runs.start({ run: 'r', skill: b.core.find('timeline-builder').summary.id, artifact: 'prompts/order.j2', params: { events: [] } }));
  });

  it('are missing until each gate has one', async () => {
    expect([status(), live.outcome && runOutcome(live.outcome)]).toEqual(['Waiting for your approval', 'waiting for approval, $0.0015']);
    await decisions.decide('r', 'tone', true);
    expect([status(), gates().map(({ decision }) => decision?.approved)]).toEqual(['Waiting for your approval', [true, undefined]]);
    await decisions.decide('r', 'figures', true);
    expect(status()).toBe('Approved');
    expect(decisions.statusOf('other', [])).toBe('');
  });

  it('are recorded with the reason that was given', async () => {
    await decisions.decide('r', 'tone', false, ' Too stiff ');
    await decisions.decide('r', 'figures', false, '  ');
    expect(b.core.callsOf('run/decide')).toEqual([
      { run: 'r', gate: 'tone', approved: false, reason: 'Too stiff' },
      { run: 'r', gate: 'figures', approved: false, reason: null },
    ]);
    // The core stores the label of the gate as the reason that wasn’t given.
    expect(gates().map(reasonOf)).toEqual(['Too stiff', '']);
    expect(status()).toBe('Rejected');
  });

  it('are shown where the run is read again', async () => {
    await decisions.decide('r', 'tone', true);
    const again = outcomeOf(b.core.runs.run('r'));
    expect(new GateDecisions(b.client).of('r', again.gates)[0]?.decision).toMatchObject({ approved: true, actor: 'local' });
  });

  it('of somebody else are read when it was too late for another', async () => {
    b.core.runs.decide({ run: 'r', gate: 'tone', approved: false, reason: 'Rude' });
    await decisions.decide('r', 'tone', true);
    expect(gates()[0]?.decision).toMatchObject({ approved: false, reason: 'Rude' });
    expect([decisions.failure, decisions.busy]).toEqual([null, false]);
  });

  it('are made one at a time', async () => {
    b.core.hold('run/decide');
    void decisions.decide('r', 'tone', true);
    void decisions.decide('r', 'tone', false);
    expect(decisions.busy).toBe(true);
    b.core.release('run/decide');
    await flushPromises();
    expect(b.core.callsOf('run/decide')).toHaveLength(1);
    expect([decisions.busy, gates()[0]?.decision?.approved]).toEqual([false, true]);
  });

  it('that aren’t recorded leave the gate waiting and say why, until the next', async () => {
    b.core.failing.set('run/decide', fail('notFound', 'run not found'));
    await decisions.decide('r', 'tone', true);
    expect(decisions.failure).toMatchObject({ run: 'r', failure: { code: 'notFound' } });
    expect([status(), decisions.busy]).toEqual(['Waiting for your approval', false]);
    b.core.failing.clear();
    await decisions.decide('r', 'tone', true);
    expect(decisions.failure).toBeNull();
  });

  it('are asked for with the reason', () => {
    expect(gates().map(reasonToAsk)).toEqual(['', 'An assertion warned']);
  });
});
