import { beforeEach, expect, test, vi } from 'vitest';
import { Tasks } from '$lib/api';
import { Toasts } from '$lib/components';
import type { LibraryRow } from '$lib/api/generated';
import { type Bench, bench, fakeTimers, settle } from '../../../../tests/support';
import { CONSISTENCY, LINKS, type Seed, TIMELINE } from '../../../../tests/fake/seed';
import { Bulk } from './bulk.svelte';
import { Library } from './library.svelte';
import { NO_FILTERS, readFilters } from './query';
import { spokenRow, useWords } from './use';

beforeEach(fakeTimers);

const numbered = (count: number): Seed[] =>
  Array.from({ length: count }, (_, index) => ({
    scope: 'account' as const, slug: `part-${index}`, name: `Part ${index}`, description: `Does part ${index}.`, files: { 'SKILL.md': { text: '# Part', role: 'main' as const, kind: 'description' as const } },
  }));

interface Shelf extends Bench {
  library: Library;
  opened: string[];
  errors: string[];
}

async function shelf(seeds: readonly Seed[] = [CONSISTENCY, LINKS, TIMELINE]): Promise<Shelf> {
  const parts = await bench(seeds);
  const [opened, errors]: [string[], string[]] = [[], []];
  const library = new Library(parts.client, parts.feed, parts.settings, { open: (key) => opened.push(key.id), failed: (what) => errors.push(what) });
  library.open();
  await settle();
  return { ...parts, library, opened, errors };
}

const names = (library: Library): string[] => Array.from({ length: library.list.total }, (_, index) => library.list.at(index)?.name ?? '…');

test('the shelf has the skills in order, the counts and the numbers', async () => {
  const { library } = await shelf();
  expect(names(library)).toEqual(['Consistency Checker', 'Link Auditor', 'Timeline Builder']);
  expect(library.facets?.places).toEqual([{ value: 'platform', count: 1 }, { value: 'team', count: 2 }]);
  expect(library.stats).toMatchObject({ skills: 3, active: 3, runs: 0, freshness: null });
});

test('filters narrow the list, are remembered without the text, and let go of the selection', async () => {
  const { library, core, client, feed, settings } = await shelf();
  await library.pick(0, 'only');
  library.filter({ place: 'team', lifecycles: ['candidate'] });
  await settle();
  expect(names(library)).toEqual(['Timeline Builder']);
  expect(library.selected.size).toBe(0);
  expect(library.narrowed).toBe(true);
  library.filter({ text: 'nothing' });
  await vi.advanceTimersByTimeAsync(500);
  await settle();
  expect(library.list.total).toBe(0);
  const later = new Library(client, feed, settings, { open: () => undefined, failed: () => undefined });
  later.open();
  await settle();
  expect(later.filters).toEqual({ ...NO_FILTERS, place: 'team', lifecycles: ['candidate'] });
  expect(later.filtered).toBe(true);
  later.filter({ text: 'x' });
  later.clearFilters();
  expect([later.narrowed, later.filtered]).toEqual([false, false]);
  await settle();
  expect(later.filters).toEqual({ ...NO_FILTERS, place: 'team' });
  expect((core.settings['ui.library'] as { filters: { text: string } }).filters.text).toBe('');
});

test('typing asks once it pauses, and an older answer is not shown over a newer one', async () => {
  const { library, core } = await shelf();
  const before = core.callsOf('library/list').length;
  for (const text of ['l', 'li', 'lin', 'link']) library.filter({ text });
  await vi.advanceTimersByTimeAsync(200);
  await settle();
  expect(core.callsOf('library/list').length).toBe(before + 1);
  expect(names(library)).toEqual(['Link Auditor']);
});

test('stored filters that make no sense are as usual', () => {
  expect(readFilters(null)).toEqual(NO_FILTERS);
  expect(readFilters({ place: 'moon', lifecycles: ['candidate', 'dead', 3], tags: 'x', sort: 'slug', reverse: 'yes', hidden: 1 })).toEqual({ ...NO_FILTERS, lifecycles: ['candidate'] });
});

test('clicks, ranges and all: what is selected is known by its key, also where nobody looked', async () => {
  const { library } = await shelf(numbered(450));
  expect(library.list.at(300)).toBeNull();
  await library.pick(2, 'only');
  await library.pick(4, 'toggle');
  expect(library.chosen).toHaveLength(2);
  await library.pick(4, 'toggle');
  expect(library.chosen.map((key) => key.id)).toEqual([library.list.at(2)?.id]);
  await library.pick(2, 'only');
  await library.pick(430, 'range');
  expect(library.selected.size).toBe(429);
  await library.selectAll();
  expect(library.selected.size).toBe(450);
  library.clearSelection();
  // The cursor is what something is done to, while nothing is selected.
  await library.go(1);
  expect(library.chosen.map((key) => key.id)).toEqual([library.list.at(1)?.id]);
  await library.go(3, true);
  expect(library.selected.size).toBe(3);
  await library.go(0, true);
  expect(library.selected.size).toBe(2);
});

test('typing a title goes to it, also where nobody looked', async () => {
  const { library } = await shelf(numbered(450));
  for (const letter of 'part 33') await library.seek(letter, 5_000);
  await settle();
  expect(library.list.at(library.cursor)?.name).toBe('Part 33');
  // A pause begins another one: by the keys' own times, however late they arrive.
  expect(library.typing(5_700)).toBe(true);
  expect(library.typing(6_000)).toBe(false);
  for (const letter of 'part 44') await library.seek(letter, 6_000);
  await settle();
  expect(library.list.at(library.cursor)?.name).toBe('Part 44');
});

test('what is known of fewer letters never has the last word', async () => {
  const { library, core } = await shelf(numbered(450));
  core.hold('library/seek');
  for (const letter of 'part 33') void library.seek(letter, 5_000);
  await settle();
  const held = core.held.get('library/seek') ?? [];
  core.held.delete('library/seek');
  for (const go of held.toReversed()) {
    go();
    await settle();
  }
  expect(library.list.at(library.cursor)?.name).toBe('Part 33');
  // What it went through isn't asked.
  expect(core.callsOf('library/seek').map(({ prefix }) => prefix)).toEqual(['p', 'part 33']);
});

test('a letter again and again goes from one title to the next, however slowly they come', async () => {
  const { library, core } = await shelf(numbered(10));
  core.hold('library/seek');
  for (const letter of 'ppp') void library.seek(letter, 5_000);
  await settle();
  core.release('library/seek');
  await settle();
  expect(library.cursor).toBe(2);
});

test('going elsewhere while a title is looked for stays there, and ends the typing', async () => {
  const { library, core } = await shelf();
  core.hold('library/seek');
  for (const letter of 'ti') void library.seek(letter, 5_000);
  await settle();
  await library.go(1);
  core.release('library/seek');
  await settle();
  expect(library.cursor).toBe(1);
  expect(library.typing(5_000)).toBe(false);
});

test('the cursor stays on its skill when others come and go', async () => {
  const { library, core, opened } = await shelf();
  await library.go(2);
  core.add({ scope: 'account', slug: 'alpha', name: 'Alpha', description: 'Comes first.', files: {} });
  await vi.advanceTimersByTimeAsync(300);
  await settle();
  library.settle();
  expect(library.cursor).toBe(3);
  library.openCurrent();
  expect(opened).toEqual([core.find('timeline-builder').summary.id]);
});

test('a list that can’t be read says so, and is there again after another try', async () => {
  const { library, core } = await shelf();
  core.failing.set('library/list', { code: 'io', message: 'the disk is gone', hint: null, fields: null, requestId: '' });
  library.filter({ place: 'team' });
  await settle();
  expect(library.list.failure?.message).toBe('the disk is gone');
  core.failing.clear();
  library.refresh();
  await settle();
  expect(names(library)).toEqual(['Link Auditor', 'Timeline Builder']);
});

test('a card says what is known of its use', () => {
  const row = { name: 'A', scope: 'account', enabled: false, locked: true, origin: 'llm', lifecycle: 'candidate', trust_tier: 1, shadows: false, shadowed: true, description: 'Does.', runs: 2 } as LibraryRow;
  const now = Date.UTC(2026, 2, 14, 9, 30);
  const used = { runs: 2, estimated_cost: 0.12, unpriced: 1, last_used_at: '2026-03-14T09:20:00Z' };
  expect(useWords(used, now)).toBe('2 runs · at least $0.12 · 10 min ago');
  expect(useWords({ ...used, runs: 1, estimated_cost: null }, now)).toBe('1 run · cost unknown · 10 min ago');
  expect(useWords({ runs: 0, estimated_cost: null, unpriced: 0, last_used_at: null }, now)).toBe('Never run');
  expect(spokenRow(row)).toBe('A, account, disabled, overridden by the workspace skill, AI-generated, candidate, locked, Unreviewed, 2 runs in 30 days. Does.');
});

// Many at once

interface Many extends Shelf {
  bulk: Bulk;
  toasts: Toasts;
  tasks: Tasks;
}

async function many(seeds?: readonly Seed[]): Promise<Many> {
  const parts = await shelf(seeds);
  const [toasts, tasks] = [new Toasts(), new Tasks()];
  const bulk = new Bulk(parts.client, toasts, tasks, { done: () => parts.library.refresh() });
  return { ...parts, bulk, toasts, tasks };
}

const press = async ({ toasts }: Many, label: string): Promise<void> => {
  const toast = toasts.list.find((one) => one.actions.some((action) => action.label === label));
  const action = toast?.actions.find((one) => one.label === label);
  if (!toast || !action) throw new Error(`no ${label} in ${JSON.stringify(toasts.list)}`);
  toasts.act(toast, action);
  await vi.advanceTimersByTimeAsync(300);
  await settle();
};

test('one change goes to all in one call, says what was left, and is undone at once', async () => {
  const parts = await many();
  const { library, bulk, core, toasts } = parts;
  await library.selectAll();
  await bulk.apply(library.chosen, { do: 'add_tag', tag: 'law' });
  await settle();
  expect(core.callsOf('library/apply')).toHaveLength(1);
  expect(core.find('link-auditor').summary.tags).toEqual(['law']);
  expect(toasts.list.at(-1)).toMatchObject({ message: 'Added the tag “law” to 2 skills', tone: 'warn', hint: '1 skill not changed: it is locked.' });
  await press(parts, 'Show why');
  expect(bulk.refused?.skills.map((one) => one.name)).toEqual(['Consistency Checker']);
  await bulk.apply(library.chosen, { do: 'set_category', category: 'desk' });
  await press(parts, 'Undo');
  expect(core.callsOf('library/undo')).toHaveLength(1);
  expect(core.find('link-auditor').summary).toMatchObject({ category: 'general', tags: ['law'] });
});

test('deleting is undone too, and what is so already is not a change', async () => {
  const parts = await many();
  const { library, bulk, core, toasts } = parts;
  await library.selectAll();
  await bulk.apply(library.chosen, { do: 'enable', on: true });
  expect(toasts.list.at(-1)?.message).toBe('No change needed for 3 skills');
  await bulk.apply(library.chosen, { do: 'delete' });
  await vi.advanceTimersByTimeAsync(300);
  await settle();
  expect(library.list.total).toBe(0);
  await press(parts, 'Undo');
  expect(core.find('timeline-builder').summary.name).toBe('Timeline Builder');
  expect(library.list.total).toBe(3);
});

test('many are done in parts: progress is told, it can be stopped, and what was done can be undone', async () => {
  const parts = await many(numbered(250));
  const { library, bulk, core, tasks, toasts } = parts;
  await library.selectAll();
  core.hold('library/apply');
  const done = bulk.apply(library.chosen, { do: 'enable', on: false });
  await settle();
  expect(bulk.going).toEqual({ title: 'Disable 250 skills', done: 0, of: 250 });
  expect(tasks.list[0]).toMatchObject({ title: 'Disable 250 skills', state: 'going' });
  bulk.stop();
  core.release('library/apply');
  await done;
  expect(core.callsOf('library/apply').map((call) => (call['skills'] as unknown[]).length)).toEqual([100]);
  expect(bulk.going).toBeNull();
  expect(toasts.list.at(-1)).toMatchObject({ message: 'Disabled 100 skills', hint: 'Canceled before 150 skills.' });
  await press(parts, 'Undo');
  expect(core.skills.filter((one) => !one.summary.enabled)).toHaveLength(0);
});

test('a call that fails in between keeps what was done and offers to go on', async () => {
  const parts = await many(numbered(150));
  const { library, bulk, core, toasts } = parts;
  await library.selectAll();
  core.hold('library/apply');
  const done = bulk.apply(library.chosen, { do: 'enable', on: false });
  await settle();
  core.release('library/apply');
  core.failing.set('library/apply', { code: 'busy', message: 'the database is busy', hint: null, fields: null, requestId: '' });
  await done;
  expect(toasts.list.map((one) => one.message)).toEqual(['Couldn’t disable 150 skills: the database is busy']);
  core.failing.clear();
  await press(parts, 'Continue');
  expect(core.skills.filter((one) => one.summary.enabled)).toHaveLength(0);
});
