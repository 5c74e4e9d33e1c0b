import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, WORKSPACE } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { Offer } from './offer.svelte';
import { Review } from './review.svelte';
import type { Candidate } from './reviewSelection.svelte';

let b: Bench;
let offer: Offer;
let review: Review;

beforeEach(async () => {
  fakeTimers();
  b = await bench([]);
  const { targets } = b.core;
  targets.put('Claude Code', '.claude/skills', ['pdf-forms', 'meeting-notes'], ['broken']);
  targets.put('Codex', '.codex/skills', ['pdf-forms']);
  offer = new Offer(b.client, b.settings);
  review = new Review(b.client, b.catalog, () => offer.dismiss());
});

const look = async (): Promise<string | null> => {
  offer.refresh();
  await flushPromises();
  return offer.summary;
};
const all = (): Candidate[] => review.selection.groups.flatMap(({ candidates }) => candidates);
const at = (path: string): Candidate => {
  const found = all().find(({ item }) => item.path.endsWith(path));
  if (!found) throw new Error(`no ${path}`);
  return found;
};
const chosen = (): string[] => review.selection.chosen.map(({ item }) => item.path);

describe('the offer', () => {
  it('names how many there are and whose, each name once', async () => {
    expect(b.core.callsOf('target/list')).toHaveLength(0);
    expect(await look()).toBe('Found 2 new skills in Claude Code and Codex');
    b.core.targets.put('Cursor', '.cursor/skills', ['sql']);
    b.core.targets.put('Goose', '.config/goose/skills', ['tests']);
    expect(await look()).toBe('Found 4 new skills in Claude Code, Codex and 2 other agents');
  });

  it('says nothing when there is nothing new, or when it can’t look', async () => {
    b.core.failing.set('target/list', fail('internal', 'no'));
    expect(await look()).toBeNull();
    b.core.failing.clear();
    for (const slug of ['pdf-forms', 'meeting-notes']) b.core.add({ scope: 'account', slug, name: slug, description: '', files: {} });
    expect(await look()).toBeNull();
  });

  it('is put off until there is another one', async () => {
    await look();
    offer.dismiss();
    await vi.advanceTimersByTimeAsync(10);
    expect(offer.summary).toBeNull();
    expect(b.core.settings['ui.skills_put_off']).toEqual(['meeting-notes', 'pdf-forms']);
    const again = new Offer(b.client, b.settings);
    again.refresh();
    await flushPromises();
    expect(again.summary).toBeNull();
    b.core.targets.put('Cursor', '.cursor/skills', ['sql']);
    expect(await look()).toBe('Found 3 new skills in Claude Code, Codex and 1 other agent');
  });
});

describe('the review', () => {
  it('suggests the first of each name that is new', async () => {
    await review.start();
    expect(chosen()).toEqual(['/home/ada/.claude/skills/pdf-forms', '/home/ada/.claude/skills/meeting-notes']);
    expect(at('.codex/skills/pdf-forms')).toMatchObject({ chosen: false, isDuplicate: true, elsewhere: ['/home/ada/.claude/skills'] });
    expect(at('broken')).toMatchObject({ chosen: false, item: { status: 'refused' } });
    review.selection.choose(at('broken'), true);
    review.selection.choose(at('.codex/skills/pdf-forms'), true);
    expect(review.selection.chosen).toHaveLength(2);
  });

  it('leaves a conflict out until someone says what is to be done with it', async () => {
    b.core.targets.put('Goose', '.config/goose/skills', [], [], ['sql']);
    await review.start();
    expect(at('sql')).toMatchObject({ chosen: false, item: { status: 'conflict' } });
    review.selection.resolve(at('sql'), 'replace');
    expect(chosen()).toContain('/home/ada/.config/goose/skills/sql');
    review.selection.resolve(at('sql'), 'skip');
    expect(at('sql').chosen).toBe(false);
    review.selection.choose(at('sql'), true);
    expect(review.selection.choices.of(at('sql').item)).toBe('merge');
    await review.apply();
    expect(b.core.callsOf('skill/import').at(-1)?.['choices']).toEqual([{ path: '/home/ada/.config/goose/skills/sql', action: 'merge' }]);
    expect(review.result?.at(-1)).toMatchObject({ slug: 'sql', stored: true });
  });

  it('lets another of the same name be chosen instead', async () => {
    await review.start();
    review.selection.choose(at('.claude/skills/pdf-forms'), false);
    expect(at('.codex/skills/pdf-forms')).toMatchObject({ chosen: true, isDuplicate: false });
    expect(at('.claude/skills/pdf-forms').isDuplicate).toBe(true);
    review.selection.choose(at('.codex/skills/pdf-forms'), false);
    expect(at('.claude/skills/pdf-forms')).toMatchObject({ chosen: false, isDuplicate: false });
    review.selection.chooseAll(false);
    expect(chosen()).toEqual([]);
    review.selection.chooseAll(true);
    expect(review.selection.chosen).toHaveLength(2);
  });

  it('imports what is chosen, and what is left was left on purpose', async () => {
    await look();
    await review.start();
    review.selection.choose(at('meeting-notes'), false);
    await review.apply();
    await flushPromises();
    expect(b.core.callsOf('skill/import')).toEqual([{ paths: ['/home/ada/.claude/skills/pdf-forms'], scope: 'account' }]);
    expect(review.result?.map(({ slug, status }) => [slug, status])).toEqual([['pdf-forms', 'new']]);
    expect(b.catalog.skills.map(({ slug }) => slug)).toEqual(['pdf-forms']);
    expect(await look()).toBeNull();
  });

  it('asks anew what is new where they would go', async () => {
    b.client.workspace = WORKSPACE;
    b.core.targets.put('Claude Code', `${WORKSPACE}/.claude/skills`, ['house-style']);
    b.core.add({ scope: 'account', slug: 'meeting-notes', name: 'Meeting notes', description: '', files: {} });
    await review.start();
    expect(review.scope).toBe('account');
    expect(at('meeting-notes').item.status).toBe('unchanged');
    expect(at('house-style').item.status).toBe('new');
    await review.setScope('workspace');
    expect(at('meeting-notes')).toMatchObject({ chosen: true, item: { status: 'new' } });
    await review.apply();
    expect(b.core.callsOf('skill/import').at(-1)).toMatchObject({ scope: 'workspace' });
  });

  it('offers to the workspace what is new only in its own folders', async () => {
    b.client.workspace = WORKSPACE;
    b.core.targets.put('Claude Code', `${WORKSPACE}/.claude/skills`, ['house-style']);
    for (const slug of ['pdf-forms', 'meeting-notes']) b.core.add({ scope: 'account', slug, name: slug, description: '', files: {} });
    await review.start();
    expect(review.scope).toBe('workspace');
  });

  it('says what is wrong, and keeps the choice when an import fails', async () => {
    b.core.failing.set('target/list', fail('internal', 'the folder can’t be read'));
    await review.start();
    expect([review.failure?.message, review.targets, review.busy]).toEqual(['the folder can’t be read', null, false]);
    b.core.failing.clear();
    await review.load();
    b.core.failing.set('skill/import', fail('readOnly', 'the database can’t be written'));
    await review.apply();
    expect([review.failure?.code, review.result, review.selection.chosen.length]).toEqual(['readOnly', null, 2]);
  });

  it('that was closed takes no late answer', async () => {
    b.core.hold('target/list');
    const started = review.start();
    review.close();
    b.core.release('target/list');
    await started;
    expect([review.open, review.targets]).toEqual([false, null]);
  });
});
