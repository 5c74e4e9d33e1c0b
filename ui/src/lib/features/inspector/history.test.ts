import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { fail } from '../../../../tests/fake/core';
import { SkillHistory } from './history.svelte';
import type { Subject } from './timeline.svelte';

let b: Bench;
let history: SkillHistory;

function subject(path: string | null = null, slug = 'timeline-builder'): Subject {
  const { summary } = b.core.find(slug);
  return { key: { scope: summary.scope, id: summary.id }, slug, path };
}

function write(count: number, path = 'prompts/order.j2'): void {
  for (let number = 0; number < count; number += 1) {
    b.core.now += 60_000;
    b.core.writeElsewhere('timeline-builder', path, `text ${number} of ${path}`);
  }
}

const ids = (): string[] => history.timeline.items.map((item) => item.id);

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  history = new SkillHistory(b.client, b.feed);
});

describe('revisions', () => {
  it('are loaded in pages, newest first', async () => {
    write(119);
    history.follow(subject());
    await flushPromises();
    expect(history.timeline.items).toHaveLength(50);
    expect(ids()[0]).toBe('r120');
    expect(history.cursor.id).toBe('r120');
    await history.timeline.loadOlder();
    await history.timeline.loadOlder();
    expect(history.timeline.items).toHaveLength(120);
    expect(history.timeline.more).toBe(false);
    await history.timeline.loadOlder();
    expect(b.core.callsOf('skill/history')).toHaveLength(3);
  });

  it('of one file are separate from those of the skill', async () => {
    write(2);
    write(3, 'SKILL.md');
    history.follow(subject('prompts/order.j2'));
    await flushPromises();
    expect(ids()).toEqual(['r3', 'r2', 'r1']);
    history.follow(subject());
    await flushPromises();
    expect(history.timeline.items).toHaveLength(6);
  });

  it('that are new are inserted before the loaded ones', async () => {
    write(80);
    history.follow(subject());
    await flushPromises();
    await history.timeline.loadOlder();
    expect(history.timeline.items).toHaveLength(81);
    write(1);
    history.follow(subject());
    await flushPromises();
    expect(history.timeline.items).toHaveLength(82);
    expect(history.timeline.more).toBe(false);
    expect(history.cursor.id).toBe('r81');
  });

  it('that are too many to overlap the loaded ones replace them', async () => {
    write(60);
    history.follow(subject());
    await flushPromises();
    write(70);
    history.follow(subject());
    await flushPromises();
    expect(ids()).toHaveLength(50);
    expect(ids()[0]).toBe('r131');
    await history.timeline.loadOlder();
    expect(ids()[50]).toBe('r81');
  });

  it('are marked, at most two', async () => {
    write(3);
    history.follow(subject());
    await flushPromises();
    for (const number of [1, 2, 3]) history.marked.toggle(number);
    expect(history.marked.numbers).toEqual([2, 3]);
    history.marked.toggle(2);
    expect(history.marked.numbers).toEqual([3]);
    history.follow(subject('SKILL.md'));
    expect(history.marked.numbers).toEqual([3]);
    history.follow(subject(null, 'consistency-checker'));
    expect(history.marked.numbers).toEqual([]);
  });
});

describe('runs', () => {
  const trace = (minutes: number, more = {}): void => {
    const { summary } = b.core.find('timeline-builder');
    const started_at = new Date(b.core.now + minutes * 60_000).toISOString();
    b.core.runs.trace({ skill_id: summary.id, skill_slug: 'timeline-builder', artifact_path: 'prompts/order.j2', started_at, ...more });
  };

  it('are between the revisions, by time', async () => {
    write(1);
    trace(1);
    b.core.now += 120_000;
    write(1);
    history.follow(subject());
    await flushPromises();
    expect(history.timeline.items.map((item) => item.kind)).toEqual(['revision', 'run', 'revision', 'revision']);
    history.timeline.showRuns(false);
    expect(history.timeline.items.every((item) => item.kind === 'revision')).toBe(true);
  });

  it('of another skill with the same name are excluded, and those of a file are its own', async () => {
    trace(1);
    trace(2, { skill_id: 'of the other scope' });
    trace(3, { artifact_path: 'SKILL.md' });
    history.follow(subject('prompts/order.j2'));
    await flushPromises();
    expect(history.timeline.items.filter((item) => item.kind === 'run')).toHaveLength(1);
  });

  it('that begin are shown soon', async () => {
    history.follow(subject());
    await flushPromises();
    trace(1);
    b.core.emit('run', ['x'], 'account', 'elsewhere');
    await vi.advanceTimersByTimeAsync(400);
    await flushPromises();
    expect(history.timeline.items.some((item) => item.kind === 'run')).toBe(true);
  });
});

it('shows the failure, and retries', async () => {
  b.core.failing.set('skill/history', fail('io', 'the disk is gone'));
  history.follow(subject());
  await flushPromises();
  expect(history.timeline.failure?.message).toBe('the disk is gone');
  expect(history.timeline.loaded).toBe(false);
  b.core.failing.clear();
  history.timeline.retry();
  await flushPromises();
  expect(history.timeline.items).toHaveLength(1);
});

it('drops a reply about a subject that isn’t shown any more', async () => {
  b.core.hold('skill/history');
  history.follow(subject());
  history.follow(subject(null, 'consistency-checker'));
  b.core.release('skill/history');
  await flushPromises();
  expect(history.subject?.slug).toBe('consistency-checker');
  expect(history.timeline.items).toHaveLength(1);
});
