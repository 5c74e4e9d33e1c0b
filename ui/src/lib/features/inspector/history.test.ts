import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, settle } from '../../../../tests/support';
import { fail } from '../../../../tests/fake/core';
import { SkillHistory, type Subject } from './history.svelte';

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

const ids = (): string[] => history.list.map((moment) => moment.id);

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  history = new SkillHistory(b.client, b.feed);
});

describe('revisions', () => {
  it('are read part by part, newest first', async () => {
    write(119);
    history.follow(subject());
    await settle();
    expect(history.list).toHaveLength(50);
    expect(ids()[0]).toBe('r120');
    expect(history.cursor).toBe('r120');
    await history.older();
    await history.older();
    expect(history.list).toHaveLength(120);
    expect(history.more).toBe(false);
    await history.older();
    expect(b.core.callsOf('skill/history')).toHaveLength(3);
  });

  it('of one file are told apart from those of the skill', async () => {
    write(2);
    write(3, 'SKILL.md');
    history.follow(subject('prompts/order.j2'));
    await settle();
    expect(ids()).toEqual(['r3', 'r2', 'r1']);
    history.follow(subject());
    await settle();
    expect(history.list).toHaveLength(6);
  });

  it('that came meanwhile are put before those that were read', async () => {
    write(80);
    history.follow(subject());
    await settle();
    await history.older();
    expect(history.list).toHaveLength(81);
    write(1);
    history.follow(subject());
    await settle();
    expect(history.list).toHaveLength(82);
    expect(history.more).toBe(false);
    expect(history.cursor).toBe('r81');
  });

  it('that are too many to meet what was read take its place', async () => {
    write(60);
    history.follow(subject());
    await settle();
    write(70);
    history.follow(subject());
    await settle();
    expect(ids()).toHaveLength(50);
    expect(ids()[0]).toBe('r131');
    await history.older();
    expect(ids()[50]).toBe('r81');
  });

  it('are marked, at most two', async () => {
    write(3);
    history.follow(subject());
    await settle();
    for (const number of [1, 2, 3]) history.mark(number);
    expect(history.marked).toEqual([2, 3]);
    history.mark(2);
    expect(history.marked).toEqual([3]);
    history.follow(subject('SKILL.md'));
    expect(history.marked).toEqual([3]);
    history.follow(subject(null, 'consistency-checker'));
    expect(history.marked).toEqual([]);
  });
});

describe('runs', () => {
  const trace = (minutes: number, more = {}): void => {
    const { summary } = b.core.find('timeline-builder');
    const started_at = new Date(b.core.now + minutes * 60_000).toISOString();
    b.core.runs.trace({ skill_id: summary.id, skill_slug: 'timeline-builder', artifact_path: 'prompts/order.j2', started_at, ...more });
  };

  it('stand between the revisions, by time', async () => {
    write(1);
    trace(1);
    b.core.now += 120_000;
    write(1);
    history.follow(subject());
    await settle();
    expect(history.list.map((moment) => moment.kind)).toEqual(['revision', 'run', 'revision', 'revision']);
    history.showRuns(false);
    expect(history.list.every((moment) => moment.kind === 'revision')).toBe(true);
  });

  it('of another skill with the name are left out, and those of a file are its own', async () => {
    trace(1);
    trace(2, { skill_id: 'of the other scope' });
    trace(3, { artifact_path: 'SKILL.md' });
    history.follow(subject('prompts/order.j2'));
    await settle();
    expect(history.list.filter((moment) => moment.kind === 'run')).toHaveLength(1);
  });

  it('that begin are shown soon', async () => {
    history.follow(subject());
    await settle();
    trace(1);
    b.core.emit('run', ['x'], 'account', 'elsewhere');
    await vi.advanceTimersByTimeAsync(400);
    await settle();
    expect(history.list.some((moment) => moment.kind === 'run')).toBe(true);
  });
});

it('says what went wrong, and tries again', async () => {
  b.core.failing.set('skill/history', fail('io', 'the disk is gone'));
  history.follow(subject());
  await settle();
  expect(history.failure?.message).toBe('the disk is gone');
  expect(history.loaded).toBe(false);
  b.core.failing.clear();
  history.retry();
  await settle();
  expect(history.list).toHaveLength(1);
});

it('passes over an answer about what isn’t shown any more', async () => {
  b.core.hold('skill/history');
  history.follow(subject());
  history.follow(subject(null, 'consistency-checker'));
  b.core.release('skill/history');
  await settle();
  expect(history.subject?.slug).toBe('consistency-checker');
  expect(history.list).toHaveLength(1);
});
