import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { CompositionReview } from './compositionReview.svelte';

let b: Bench;
let review: CompositionReview;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  review = new CompositionReview(b.client);
});

const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await flushPromises();
};

const NEW = { 'SKILL.md': '# Notes\n', 'prompts/notes.j2': '{{ changes }}\n' };

describe('a composition under review', () => {
  it('shows SKILL.md first and is accepted whole in the chosen scope', async () => {
    const { id } = b.core.proposals.compose({ 'approach/tone.md': 'Brief.\n', ...NEW });
    await review.load(id);
    expect([review.shown?.path, review.selection.included.length, review.scope]).toEqual(['SKILL.md', 3, 'account']);
    review.scope = 'workspace';
    expect(await review.accept()).toMatchObject({ skill: 'release-notes', revision: 1 });
    expect(b.core.callsOf('proposal/accept')).toEqual([{ id, paths: null, scope: 'workspace' }]);
  });

  it('saves edits before another file is shown and before it is accepted', async () => {
    const { id } = b.core.proposals.compose(NEW);
    await review.load(id);
    review.type('# Release notes\n');
    await review.show('prompts/notes.j2');
    expect(b.core.callsOf('proposal/edit')).toEqual([{ id, path: 'SKILL.md', content: '# Release notes\n' }]);
    review.type('{{ commits }}\n');
    review.selection.toggle('SKILL.md');
    expect(await review.accept()).not.toBeNull();
    expect(b.core.callsOf('proposal/edit')).toHaveLength(2);
    expect(b.core.callsOf('proposal/accept')).toMatchObject([{ paths: ['prompts/notes.j2'] }]);
  });

  it('saves while typing, without taking the text from the editor', async () => {
    const { id } = b.core.proposals.compose(NEW);
    await review.load(id);
    const { shown } = review;
    review.type('# A\n');
    review.type('# AB\n');
    await pass(600);
    expect(b.core.callsOf('proposal/edit')).toMatchObject([{ content: '# AB\n' }]);
    await review.load(id);
    expect(review.shown).toBe(shown);
    expect(review.review?.files[0]).toMatchObject({ path: 'SKILL.md', edited: true });
  });

  it('shows what the model revised meanwhile', async () => {
    const { id } = b.core.proposals.compose(NEW);
    await review.load(id);
    const { shown } = review;
    b.core.proposals.handlers['proposal/edit']({ id, path: 'SKILL.md', content: '# Of the model\n' });
    await review.load(id);
    expect(review.shown).toEqual({ path: 'SKILL.md', version: (shown?.version ?? 0) + 1 });
  });

  it('is merged with the present skill, and shows the first conflict', async () => {
    const { id } = b.core.proposals.compose({ 'README.md': 'Ours.\n', 'SKILL.md': '# Ours\n' }, 'consistency-checker');
    b.core.proposals.stale = true;
    await review.load(id);
    expect([review.review?.stale, review.shown?.path]).toEqual([true, 'SKILL.md']);
    review.type('# Mine\n');
    b.core.proposals.conflicting = ['README.md'];
    await review.rebase();
    expect(b.core.callsOf('proposal/edit')).toMatchObject([{ content: '# Mine\n' }]);
    expect([review.review?.stale, review.selection.conflicts, review.shown?.path, review.busy]).toEqual([false, ['README.md'], 'README.md', false]);
    review.selection.toggle('README.md');
    expect(review.selection.conflicts).toEqual([]);
    review.selection.toggle('README.md');
    review.type('Resolved.\n');
    await review.save();
    expect(review.selection.conflicts).toEqual([]);
  });

  it('shows both sides anew after a merge', async () => {
    const { id } = b.core.proposals.compose({ 'SKILL.md': '# Ours\n' }, 'consistency-checker');
    await review.load(id);
    const { shown } = review;
    await review.rebase();
    expect(review.shown).toEqual({ path: 'SKILL.md', version: (shown?.version ?? 0) + 1 });
  });

  it('says why it can’t be merged', async () => {
    const { id } = b.core.proposals.compose({ 'SKILL.md': '# Ours\n' }, 'consistency-checker');
    await review.load(id);
    b.core.failing.set('proposal/rebase', fail('invalid', 'the skill already has the proposed changes'));
    await review.rebase();
    expect([review.failure?.code, review.busy]).toEqual(['invalid', false]);
  });

  it('says why it can’t be accepted, and keeps everything', async () => {
    b.core.proposals.diagnostics = [{ rule: 'template/syntax', severity: 'error', message: 'unexpected end', hint: null, file: 'prompts/notes.j2', line: 1, column: 1, end_line: null, end_column: null, pointer: null }];
    const { id } = b.core.proposals.compose(NEW);
    await review.load(id);
    expect(await review.accept()).toBeNull();
    expect([review.failure?.code, review.busy, review.review?.proposal.status]).toEqual(['invalid', false, 'open']);
  });

  it('keeps a typed text that can’t be saved, and doesn’t accept without it', async () => {
    const { id } = b.core.proposals.compose(NEW);
    await review.load(id);
    b.core.failing.set('proposal/edit', fail('busy', 'not now'));
    review.type('# Mine\n');
    await pass(600);
    expect(review.failure?.code).toBe('busy');
    expect(await review.accept()).toBeNull();
    b.core.failing.clear();
    expect(await review.accept()).not.toBeNull();
    expect(b.core.callsOf('proposal/edit').at(-1)).toMatchObject({ content: '# Mine\n' });
  });
});
