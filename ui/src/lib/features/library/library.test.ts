import { beforeEach, expect, test, vi } from 'vitest';
import { Tasks } from '$lib/api';
import { Toasts } from '$lib/components';
import type { Library } from '$lib/api/generated';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { CONSISTENCY, LINKS, type Seed, TIMELINE } from '../../../../tests/fake/seed';
import { Bulk } from './bulk.svelte';
import { LibraryState } from './library.svelte';
import { NO_FILTERS, readFilters } from './query';
import { SelectionActions } from './selectionActions.svelte';
import { qualityLabel, qualityTitle, spokenRow, usageLabel } from './use';

beforeEach(fakeTimers);

const numbered = (count: number): Seed[] =>
  Array.from({ length: count }, (_, index) => ({
    scope: 'account' as const, slug: `part-${index}`, name: `Part ${index}`, description: `Does part ${index}.`, files: { 'SKILL.md': { text: '# Part', role: 'main' as const, kind: 'description' as const } },
  }));

interface LibraryBench extends Bench {
  library: LibraryState;
  errors: string[];
}

async function libraryBench(seeds: readonly Seed[] = [CONSISTENCY, LINKS, TIMELINE]): Promise<LibraryBench> {
  const parts = await bench(seeds);
  const errors: string[] = [];
  const library = new LibraryState(parts.client, parts.feed, parts.catalog, parts.settings, (what) => errors.push(what));
  library.open();
  await flushPromises();
  return { ...parts, library, errors };
}

const names = (library: LibraryState): string[] => Array.from({ length: library.list.total }, (_, index) => library.list.at(index)?.name ?? '…');

test('the library lists the skills in order, with facets and statistics', async () => {
  const { library } = await libraryBench();
  expect(names(library)).toEqual(['Consistency Checker', 'Link Auditor', 'Timeline Builder']);
  expect(library.filter.facets?.ownerships).toEqual([{ value: 'built_in', count: 1 }, { value: 'yours', count: 2 }]);
  expect(library.stats.value).toMatchObject({ skills: 3, active: 3, runs: 0, freshness: null });
});

test('filters narrow the list, are stored without the search text, and clear the selection', async () => {
  const { library, core, client, feed, catalog, settings } = await libraryBench();
  library.selection.pick(0);
  library.filter.change({ ownership: 'yours', lifecycles: ['candidate'] });
  await flushPromises();
  expect(names(library)).toEqual(['Timeline Builder']);
  expect(library.selection.size).toBe(0);
  expect(library.filter.narrowed).toBe(true);
  library.filter.change({ text: 'nothing' });
  await vi.advanceTimersByTimeAsync(500);
  await flushPromises();
  expect(library.list.total).toBe(0);
  const later = new LibraryState(client, feed, catalog, settings, () => undefined);
  later.open();
  await flushPromises();
  expect(later.filter.values).toEqual({ ...NO_FILTERS, ownership: 'yours', lifecycles: ['candidate'] });
  expect(later.filter.filtered).toBe(true);
  later.filter.change({ text: 'x' });
  later.filter.clear();
  expect([later.filter.narrowed, later.filter.filtered]).toEqual([false, false]);
  await flushPromises();
  expect(later.filter.values).toEqual({ ...NO_FILTERS, ownership: 'yours' });
  expect((core.settings['ui.library'] as { filters: { text: string } }).filters.text).toBe('');
});

test('a search starts after a pause in typing, and an older reply doesn’t replace a newer one', async () => {
  const { library, core } = await libraryBench();
  const before = core.callsOf('library/list').length;
  for (const text of ['l', 'li', 'lin', 'link']) library.filter.change({ text });
  await vi.advanceTimersByTimeAsync(200);
  await flushPromises();
  expect(core.callsOf('library/list').length).toBe(before + 1);
  expect(names(library)).toEqual(['Link Auditor']);
});

test('stored filters of an earlier version are understood, and invalid ones get their defaults', () => {
  expect(readFilters(null)).toEqual(NO_FILTERS);
  expect(readFilters({ place: 'team' })).toEqual({ ...NO_FILTERS, ownership: 'yours' });
  expect(readFilters({ ownership: 'moon', lifecycles: ['candidate', 'dead', 3], tags: 'x', sort: 'slug', reverse: 'yes', hidden: 1 })).toEqual({ ...NO_FILTERS, lifecycles: ['candidate'] });
});

test('clicks, ranges and Select all select by key, including rows that aren’t loaded', async () => {
  const { library } = await libraryBench(numbered(450));
  expect(library.list.at(300)).toBeNull();
  library.selection.pick(2);
  library.selection.toggle(4);
  expect(library.selection.targets).toHaveLength(2);
  library.selection.toggle(4);
  expect(library.selection.targets.map((key) => key.id)).toEqual([library.list.at(2)?.id]);
  library.selection.pick(2);
  await library.selection.extendTo(430);
  expect(library.selection.size).toBe(429);
  await library.selection.selectAll();
  expect(library.selection.size).toBe(450);
  library.selection.clear();
  // Without a selection, actions apply to the row at the cursor.
  library.selection.moveTo(1);
  expect(library.selection.targets.map((key) => key.id)).toEqual([library.list.at(1)?.id]);
  await library.selection.extendTo(3);
  expect(library.selection.size).toBe(3);
  await library.selection.extendTo(0);
  expect(library.selection.size).toBe(2);
});

test('typing a title moves to it, even if its row isn’t loaded', async () => {
  const { library } = await libraryBench(numbered(450));
  for (const letter of 'part 33') await library.titleSearch.type(letter, 5_000);
  await flushPromises();
  expect(library.list.at(library.cursor.index)?.name).toBe('Part 33');
  // A pause starts a new prefix. It counts by the times of the keys, however late they arrive.
  expect(library.titleSearch.isTyping(5_700)).toBe(true);
  expect(library.titleSearch.isTyping(6_000)).toBe(false);
  for (const letter of 'part 44') await library.titleSearch.type(letter, 6_000);
  await flushPromises();
  expect(library.list.at(library.cursor.index)?.name).toBe('Part 44');
});

test('the result of a shorter prefix never replaces that of a longer one', async () => {
  const { library, core } = await libraryBench(numbered(450));
  core.hold('library/seek');
  for (const letter of 'part 33') void library.titleSearch.type(letter, 5_000);
  await flushPromises();
  const held = core.held.get('library/seek') ?? [];
  core.held.delete('library/seek');
  for (const go of held.toReversed()) {
    go();
    await flushPromises();
  }
  expect(library.list.at(library.cursor.index)?.name).toBe('Part 33');
  // Superseded prefixes aren’t requested.
  expect(core.callsOf('library/seek').map(({ prefix }) => prefix)).toEqual(['p', 'part 33']);
});

test('repeating a letter moves from one title to the next, however slow the replies are', async () => {
  const { library, core } = await libraryBench(numbered(10));
  core.hold('library/seek');
  for (const letter of 'ppp') void library.titleSearch.type(letter, 5_000);
  await flushPromises();
  core.release('library/seek');
  await flushPromises();
  expect(library.cursor.index).toBe(2);
});

test('moving the cursor cancels a pending search by title', async () => {
  const { library, core } = await libraryBench();
  core.hold('library/seek');
  for (const letter of 'ti') void library.titleSearch.type(letter, 5_000);
  await flushPromises();
  library.selection.moveTo(1);
  core.release('library/seek');
  await flushPromises();
  expect(library.cursor.index).toBe(1);
  expect(library.titleSearch.isTyping(5_000)).toBe(false);
});

test('the cursor stays on its skill when others are added and removed', async () => {
  const { library, core } = await libraryBench();
  library.selection.moveTo(2);
  core.add({ scope: 'account', slug: 'alpha', name: 'Alpha', description: 'Comes first.', files: {} });
  await vi.advanceTimersByTimeAsync(300);
  await flushPromises();
  library.cursor.restore();
  expect(library.cursor.index).toBe(3);
  expect(library.cursor.row?.id).toBe(core.find('timeline-builder').summary.id);
});

test('a list that can’t be loaded shows the failure, and can be retried', async () => {
  const { library, core } = await libraryBench();
  core.failing.set('library/list', { code: 'io', message: 'the disk is gone', hint: null, fields: null, requestId: '' });
  library.filter.change({ ownership: 'yours' });
  await flushPromises();
  expect(library.list.failure?.message).toBe('the disk is gone');
  core.failing.clear();
  library.refresh();
  await flushPromises();
  expect(names(library)).toEqual(['Link Auditor', 'Timeline Builder']);
});

test('a card shows its usage', () => {
  const row = { name: 'A', scope: 'account', enabled: false, locked: true, origin: 'llm', lifecycle: 'candidate', trust_tier: 1, shadows: false, shadowed: true, description: 'Does.', runs: 2 } as Library.LibraryRow;
  const now = Date.UTC(2026, 2, 14, 9, 30);
  const used = { runs: 2, estimated_cost: 0.12, unpriced: 1, last_used_at: '2026-03-14T09:20:00Z' };
  expect(usageLabel(used, now)).toBe('2 runs · at least $0.12 · 10 min ago');
  expect(usageLabel({ ...used, runs: 1, estimated_cost: null }, now)).toBe('1 run · cost unknown · 10 min ago');
  expect(usageLabel({ runs: 0, estimated_cost: null, unpriced: 0, last_used_at: null }, now)).toBe('Never used');
  const quality = { uses: 1, outcomes: 0, successes: 0, task_success_rate: null, judged: 0, accepted: 0, human_acceptance_rate: null, utility: 0.5 };
  expect(qualityLabel(quality)).toBe('');
  const judged = { ...quality, uses: 6, outcomes: 4, successes: 3, judged: 1, accepted: 1 };
  expect(qualityLabel(judged)).toBe('3 of 4 succeeded · 1 of 1 answer accepted');
  expect(qualityTitle(judged)).toBe('Runs, and answers that you marked or whose proposal you accepted. 2 other uses have no known outcome.');
  expect(qualityTitle({ ...judged, uses: 5 })).toContain('1 other use has no known outcome');
  expect(spokenRow(row)).toBe('A, account, disabled, overridden by the workspace skill, AI-generated, candidate, locked, Unreviewed, 2 runs in the last 30 days. Does.');
});

// Many at once

interface Many extends LibraryBench {
  bulk: Bulk;
  toasts: Toasts;
  tasks: Tasks;
}

async function many(seeds?: readonly Seed[]): Promise<Many> {
  const parts = await libraryBench(seeds);
  const [toasts, tasks] = [new Toasts(), new Tasks()];
  const { client, catalog, library } = parts;
  const bulk = new Bulk(client, toasts, tasks, {
    titleOf: (skill) => catalog.summary(skill)?.name,
    deleted: (skills) => library.selection.deselect(skills),
    done: () => library.refresh(),
  });
  return { ...parts, bulk, toasts, tasks };
}

const press = async ({ toasts }: Many, label: string): Promise<void> => {
  const toast = toasts.list.findLast((one) => one.actions.some((action) => action.label === label));
  const action = toast?.actions.find((one) => one.label === label);
  if (!toast || !action) throw new Error(`no ${label} in ${JSON.stringify(toasts.list)}`);
  toasts.act(toast, action);
  await vi.advanceTimersByTimeAsync(300);
  await flushPromises();
};

test('a change of all skills is one call, reports what it skipped, and is undone by one', async () => {
  const parts = await many();
  const { library, bulk, core, toasts } = parts;
  await library.selection.selectAll();
  await bulk.apply(library.selection.targets, { do: 'add_tag', tag: 'law' });
  await flushPromises();
  expect(core.callsOf('library/apply')).toHaveLength(1);
  expect(core.find('link-auditor').summary.tags).toEqual(['law']);
  expect(toasts.list.at(-1)).toMatchObject({ message: 'Added the tag “law” to 2 skills', tone: 'warn', hint: '1 skill not changed: it is locked.' });
  await press(parts, 'Show why');
  expect(bulk.refused?.skills.map((one) => one.name)).toEqual(['Consistency Checker']);
  await bulk.apply(library.selection.targets, { do: 'set_category', category: 'desk' });
  await press(parts, 'Undo');
  expect(core.callsOf('library/undo')).toHaveLength(1);
  expect(core.find('link-auditor').summary).toMatchObject({ category: 'general', tags: ['law'] });
});

test('the reasons can be read before a change is undone', async () => {
  const parts = await many();
  const { library, bulk, core } = parts;
  await library.selection.selectAll();
  await bulk.apply(library.selection.targets, { do: 'add_tag', tag: 'law' });
  await press(parts, 'Show why');
  expect(bulk.refused?.skills).toHaveLength(1);
  await press(parts, 'Undo');
  expect(core.find('link-auditor').summary.tags).toEqual([]);
});

test('deleted skills are no longer selected, and those that a change doesn’t find are named by their titles', async () => {
  const parts = await many();
  const { library, bulk, core } = parts;
  await library.selection.selectAll();
  const [checker, links, timeline] = ['consistency-checker', 'link-auditor', 'timeline-builder'].map((slug) => core.find(slug).summary);
  if (!checker || !links || !timeline) throw new Error('no skills');
  await bulk.apply([timeline], { do: 'delete' });
  expect(library.selection.targets.map(({ id }) => id)).toEqual([checker.id, links.id]);
  // By another program, before the window hears of it.
  core.find('link-auditor').deleted = true;
  await bulk.apply(library.selection.targets, { do: 'enable', on: false });
  expect(bulk.refused).toBeNull();
  await press(parts, 'Show why');
  expect(bulk.refused?.skills.map(({ name, failure }) => [name, failure.message])).toEqual([['Link Auditor', 'Link Auditor was deleted']]);
  core.emit('skill', [links.id], 'account', 'tool');
  await vi.advanceTimersByTimeAsync(300);
  await flushPromises();
  expect([library.selection.size, library.selection.targets.map(({ id }) => id)]).toEqual([1, [checker.id]]);
});

test('a value is set for the skills that it was asked for', async () => {
  const { library, bulk, core } = await many();
  const actions = new SelectionActions({} as never, library, bulk, {} as never, {} as never);
  const [links, timeline] = ['link-auditor', 'timeline-builder'].map((slug) => core.find(slug).summary);
  if (!links || !timeline) throw new Error('no skills');
  await library.selection.selectAll();
  actions.prompt = 'category';
  expect(actions.asked).toHaveLength(3);
  core.find('link-auditor').deleted = true;
  core.emit('skill', [links.id], 'account', 'tool');
  await vi.advanceTimersByTimeAsync(300);
  await flushPromises();
  expect([library.selection.targets.length, actions.asked.length]).toEqual([2, 3]);
  actions.applyValue('writing');
  await flushPromises();
  expect(core.callsOf('library/apply').at(-1)).toMatchObject({ skills: [{}, { skill: links.id }, {}], action: { category: 'writing' } });
});

test('deleting can be undone, and a change without effect is reported as such', async () => {
  const parts = await many();
  const { library, bulk, core, toasts } = parts;
  await library.selection.selectAll();
  await bulk.apply(library.selection.targets, { do: 'enable', on: true });
  expect(toasts.list.at(-1)?.message).toBe('No change needed for 3 skills');
  await bulk.apply(library.selection.targets, { do: 'delete' });
  await vi.advanceTimersByTimeAsync(300);
  await flushPromises();
  expect(library.list.total).toBe(0);
  await press(parts, 'Undo');
  expect(core.find('timeline-builder').summary.name).toBe('Timeline Builder');
  expect(library.list.total).toBe(3);
});

test('many skills are changed in chunks, with progress, cancellation and undo', async () => {
  const parts = await many(numbered(250));
  const { library, bulk, core, tasks, toasts } = parts;
  await library.selection.selectAll();
  core.hold('library/apply');
  const done = bulk.apply(library.selection.targets, { do: 'enable', on: false });
  await flushPromises();
  expect(bulk.running).toEqual({ title: 'Disable 250 skills', done: 0, of: 250 });
  expect(tasks.list[0]).toMatchObject({ title: 'Disable 250 skills', state: 'running' });
  bulk.cancel();
  core.release('library/apply');
  await done;
  expect(core.callsOf('library/apply').map((call) => (call['skills'] as unknown[]).length)).toEqual([100]);
  expect(bulk.running).toBeNull();
  expect(toasts.list.at(-1)).toMatchObject({ message: 'Disabled 100 skills', hint: 'Canceled before 150 skills.' });
  await press(parts, 'Undo');
  expect(core.skills.filter((one) => !one.summary.enabled)).toHaveLength(0);
});

test('a call that fails in between keeps the finished changes and can be continued', async () => {
  const parts = await many(numbered(150));
  const { library, bulk, core, toasts } = parts;
  await library.selection.selectAll();
  core.hold('library/apply');
  const done = bulk.apply(library.selection.targets, { do: 'enable', on: false });
  await flushPromises();
  core.release('library/apply');
  core.failing.set('library/apply', { code: 'busy', message: 'the database is busy', hint: null, fields: null, requestId: '' });
  await done;
  expect(toasts.list.map((one) => one.message)).toEqual(['Couldn’t disable 150 skills: the database is busy']);
  core.failing.clear();
  await press(parts, 'Continue');
  expect(core.skills.filter((one) => one.summary.enabled)).toHaveLength(0);
});
