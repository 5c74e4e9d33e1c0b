import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { kindLabel } from './labels';
import { Proposals } from './proposals.svelte';

let b: Bench;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
});

const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await flushPromises();
};

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
    expect([proposals.openCount, proposals.list.length]).toEqual([2, 2]);
    proposals.setFilter('all');
    await flushPromises();
    expect([proposals.openCount, proposals.list.length]).toEqual([2, 3]);
    b.core.programs.proposal();
    await pass(200);
    expect([proposals.openCount, proposals.list.length]).toEqual([3, 4]);
  });

  it('stay in sight when they are decided', async () => {
    proposals.selection.step(1);
    const first = proposals.selection.proposal;
    if (!first) throw new Error('nothing is shown');
    expect(await proposals.decisions.accept(first.id, ' good ')).toMatchObject({ skill: 'link-auditor', forked: false });
    expect(b.core.callsOf('proposal/accept')).toEqual([{ id: first.id, reason: 'good' }]);
    expect([proposals.openCount, proposals.selection.index]).toEqual([1, -1]);
    expect(proposals.selection.proposal).toMatchObject({ id: first.id, status: 'accepted' });
    proposals.selection.step(1);
    expect(await proposals.decisions.reject(proposals.selection.id ?? '', '')).toBeNull();
    expect(b.core.callsOf('proposal/reject')).toMatchObject([{ reason: null }]);
    expect(proposals.selection.proposal?.status).toBe('rejected');
  });

  it('that someone else decided say so', async () => {
    const id = proposals.list[0]?.id ?? '';
    b.core.programs.decide(id, 'rejected', null);
    expect(await proposals.decisions.accept(id, '')).toMatchObject({ code: 'revisionConflict' });
    expect(await proposals.decisions.reject(id, '')).toMatchObject({ code: 'revisionConflict' });
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

it('an update of the original isn’t called a composition', () => {
  const original = { revision: 3, version: '1.1.0' };
  expect(kindLabel({ proposal_kind: 'composer', body: { files: [] } })).toBe('Composer');
  expect(kindLabel({ proposal_kind: 'composer', body: { files: [], original } })).toBe('Update of the original');
});
