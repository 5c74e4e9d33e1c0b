import { expect, it } from 'vitest';
import type { ComparedFile, RevisionFile } from '$lib/api/generated';
import { bench } from '../../../../tests/support';
import { ComparisonOptions, type CompareRequest, Comparison } from './comparison.svelte';

const file = (path: string): ComparedFile => ({ path, change: 'modified', text: true, mode: false, executable: false, added: 1, removed: 1 });
const text = (content: string): RevisionFile => ({ text: content, sha256: content, size: content.length });

async function compare(more: Partial<CompareRequest> = {}): Promise<Comparison> {
  const { settings } = await bench();
  const comparison = new Comparison(new ComparisonOptions(settings), {
    id: 'a', title: 'A', leftLabel: 'Before', rightLabel: 'Now',
    files: () => Promise.resolve([file('a.md'), file('b.md'), file('c.md')]),
    texts: (path) => Promise.resolve({ left: text(`${path} before`), right: text(`${path} now`) }),
    ...more,
  });
  await comparison.load();
  return comparison;
}

it('shows the first file, or the one that was asked for', async () => {
  expect((await compare()).shown?.file.path).toBe('a.md');
  const wanted = await compare({ path: 'b.md' });
  expect(wanted.shown?.texts.right.text).toBe('b.md now');
  expect(wanted.index).toBe(1);
});

it('goes from file to file around the ends, to the last change when it goes back', async () => {
  const comparison = await compare();
  expect(comparison.stepFile(-1)).toBe(true);
  await Promise.resolve();
  await Promise.resolve();
  expect([comparison.shown?.file.path, comparison.begin]).toEqual(['c.md', 'last']);
  expect((await compare({ files: () => Promise.resolve([file('a.md')]) })).stepFile(1)).toBe(false);
});

it('stays at its file when it is read again, and says what went wrong', async () => {
  let files = [file('a.md'), file('b.md')];
  const comparison = await compare({ files: () => (files.length > 0 ? Promise.resolve(files) : Promise.reject(new Error('gone'))) });
  await comparison.open('b.md');
  files = [file('0.md'), file('b.md')];
  await comparison.load();
  expect(comparison.shown?.file.path).toBe('b.md');
  files = [];
  await comparison.load();
  expect(comparison.failure?.message).toBe('gone');
});

it('passes over an answer that comes after a later one', async () => {
  const waiting = new Map<string, () => void>();
  const comparison = await compare({
    texts: (path) =>
      path === 'a.md'
        ? Promise.resolve({ left: text(''), right: text('') })
        : new Promise((resolve) => waiting.set(path, () => resolve({ left: text(''), right: text(path) }))),
  });
  const [first, second] = [comparison.open('b.md'), comparison.open('c.md')];
  waiting.get('c.md')?.();
  waiting.get('b.md')?.();
  await Promise.all([first, second]);
  expect(comparison.shown?.file.path).toBe('c.md');
});

it('remembers how comparisons are shown', async () => {
  const { settings } = await bench();
  const options = new ComparisonOptions(settings);
  expect([options.inline, options.collapse, options.ignoreSpaces]).toEqual([false, true, false]);
  options.set({ inline: true });
  expect(new ComparisonOptions(settings).inline).toBe(true);
});
