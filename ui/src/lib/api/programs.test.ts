import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../tests/support';
import { Programs } from './programs.svelte';

let b: Bench;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
});

const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await flushPromises();
};

describe('the process', () => {
  it('is polled while it is watched, more often while it starts', async () => {
    const programs = new Programs(b.client, b.feed);
    const stop = programs.watch();
    await flushPromises();
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
    b.core.programs.unavailable = 'its file is missing';
    expect(await programs.load()).toBeNull();
    expect(programs.manifestFailure?.message).toContain('its file is missing');
    expect(await programs.retry()).toBeNull();
    expect(programs.status?.state).toBe('unavailable');
    b.core.programs.unavailable = null;
    expect(await programs.retry()).toBeNull();
    expect(programs.manifest?.templates).not.toEqual([]);
    expect(programs.manifestFailure).toBeNull();
  });
});
