import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../tests/fake/core';
import { type Bench, bench, fakeTimers, settle } from '../../../tests/support';
import { Programs } from './programs.svelte';
import { Proposals } from './proposals.svelte';

let b: Bench;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
});

const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
};

describe('the process', () => {
  it('is looked at now and then, more often while it starts, and not at all unwatched', async () => {
    const programs = new Programs(b.client, b.feed);
    const stop = programs.watch();
    await settle();
    expect(programs.status?.state).toBe('idle');
    b.core.programs.status = { ...b.core.programs.status, state: 'starting' };
    await pass(10_000);
    expect(programs.warming).toBe(true);
    const before = b.core.callsOf('program/status').length;
    await pass(3_000);
    expect(b.core.callsOf('program/status').length - before).toBe(3);
    stop();
    const after = b.core.callsOf('program/status').length;
    b.core.emit('run', ['r']);
    await pass(20_000);
    expect(b.core.callsOf('program/status')).toHaveLength(after);
  });

  it('says once what it can do', async () => {
    const programs = new Programs(b.client, b.feed);
    const [one, other] = await Promise.all([programs.load(), programs.load()]);
    expect(one).toBe(other);
    await programs.load();
    expect(b.core.callsOf('program/manifest')).toHaveLength(1);
  });

  it('that can’t run is asked again, and when it is tried again', async () => {
    const programs = new Programs(b.client, b.feed);
    b.core.programs.gone = 'its file is missing';
    expect(await programs.load()).toBeNull();
    expect(programs.manifestFailure?.message).toContain('its file is missing');
    expect(await programs.retry()).toBeNull();
    expect(programs.status?.state).toBe('unavailable');
    b.core.programs.gone = null;
    expect(await programs.retry()).toBeNull();
    expect(programs.manifest?.templates).not.toEqual([]);
    expect(programs.manifestFailure).toBeNull();
  });
});

describe('proposals', () => {
  let proposals: Proposals;

  beforeEach(async () => {
    proposals = new Proposals(b.client, b.feed);
    b.core.programs.proposal({ status: 'rejected' });
    b.core.programs.proposal();
    b.core.programs.proposal({ skill_id: b.core.find('link-auditor').summary.id });
    await pass(200);
  });

  it('are counted and listed as they come', async () => {
    expect([proposals.open, proposals.list.length]).toEqual([2, 2]);
    proposals.show('all');
    await settle();
    expect([proposals.open, proposals.list.length]).toEqual([2, 3]);
    b.core.programs.proposal();
    await pass(200);
    expect([proposals.open, proposals.list.length]).toEqual([3, 4]);
  });

  it('stay in sight when they are decided', async () => {
    proposals.step(1);
    const first = proposals.shown;
    if (!first) throw new Error('nothing is shown');
    expect(await proposals.accept(first.id, ' good ')).toMatchObject({ skill: 'link-auditor', forked: false });
    expect(b.core.callsOf('proposal/accept')).toEqual([{ id: first.id, reason: 'good' }]);
    expect([proposals.open, proposals.index]).toEqual([1, -1]);
    expect(proposals.shown).toMatchObject({ id: first.id, status: 'accepted' });
    proposals.step(1);
    expect(await proposals.reject(proposals.selected ?? '', '')).toBeNull();
    expect(b.core.callsOf('proposal/reject')).toMatchObject([{ reason: null }]);
    expect(proposals.shown?.status).toBe('rejected');
  });

  it('that someone else decided say so', async () => {
    const id = proposals.list[0]?.id ?? '';
    b.core.programs.decide(id, 'rejected', null);
    expect(await proposals.accept(id, '')).toMatchObject({ code: 'revisionConflict' });
    expect(await proposals.reject(id, '')).toMatchObject({ code: 'revisionConflict' });
  });

  it('can be asked for again after a failure', async () => {
    b.core.failing.set('proposal/list', fail('busy', 'not now'));
    await proposals.load();
    expect(proposals.failure?.code).toBe('busy');
    b.core.failing.clear();
    await proposals.load();
    expect(proposals.failure).toBeNull();
  });
});
