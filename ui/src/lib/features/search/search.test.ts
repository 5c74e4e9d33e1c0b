import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Toasts } from '$lib/components';
import type { Texts } from '$lib/api/generated';
import { fail, WORKSPACE } from '../../../../tests/fake/core';
import type { Seed } from '../../../../tests/fake/seed';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { Replacing } from './replacing.svelte';
import { lead, oneLine, type Row } from './rows';
import { Search } from './search.svelte';

const seed = (slug: string, files: Record<string, string>, more: Partial<Seed> = {}): Seed => ({
  scope: 'account', slug, name: slug.toUpperCase(), description: 'For the search.', ...more,
  files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, { text }])),
});

let b: Bench;
let toasts: Toasts;
let search: Search;
let replacing: Replacing;
let opened: { path: string; at: string; how: string }[];
let unsaved: Set<string>;
let skipped: number;

beforeEach(async () => {
  fakeTimers();
  b = await bench([
    seed('alpha', { 'SKILL.md': 'The harbour opens.\nharbour, Harbour\n', 'notes.md': 'By the harbour.\n' }),
    seed('beta', { 'prompts/ask.j2': '{% set x = 1 %}\n  Ask in the harbour.\n' }),
    seed('shipped', { 'SKILL.md': 'A harbour of ours.\n' }, { source: 'system' }),
    seed('here', { 'SKILL.md': 'Harbours of this folder.\n' }, { scope: 'workspace' }),
  ]);
  toasts = new Toasts();
  [opened, unsaved, skipped] = [[], new Set(), 0];
  search = new Search(b.client, b.feed, {
    open: (_key, path, match: Texts.Match, how) => opened.push({ path, at: `${match.line}:${match.column}-${match.end_line}:${match.end_column}`, how }),
  });
  replacing = new Replacing(b.client, toasts, search, {
    unsaved: (_key, path) => unsaved.has(path),
    keep: () => {
      skipped += 1;
      return Promise.resolve();
    },
    nameOf: (key) => b.catalog.summary(key)?.name ?? '?',
    put: ({ skill }) => b.catalog.details.put(skill),
  });
});

async function find(text: string): Promise<void> {
  search.query.set({ text });
  await vi.advanceTimersByTimeAsync(200);
  await flushPromises();
}

const shown = (): string[] =>
  search.list.rows.map((row) => `${'  '.repeat(row.level - 1)}${row.kind === 'skill' ? row.skill.slug : row.kind === 'file' ? row.file.path : `${row.match.line}:${row.match.text}`}${row.out === 'all' ? ' out' : row.out === 'some' ? ' some' : ''}`);
const row = (of: (row: Row) => boolean): Row => {
  const found = search.list.rows.find(of);
  if (!found) throw new Error('no such row');
  return found;
};
const skillRow = (slug: string): Row => row((one) => one.kind === 'skill' && one.skill.slug === slug);
const fileRow = (path: string): Row => row((one) => one.kind === 'file' && one.file.path === path);
const textOf = (slug: string, path: string): string | null | undefined => b.core.find(slug).files.get(path)?.text;
const said = (): string[] => toasts.list.map((toast) => toast.message);

describe('searching', () => {
  it('shows skills, files and matches, once the typing rests', async () => {
    search.query.set({ text: 'h' });
    search.query.set({ text: 'harb' });
    expect(b.core.callsOf('text/search')).toHaveLength(0);
    await find('harbour');
    expect(b.core.callsOf('text/search')).toHaveLength(1);
    expect(shown()).toEqual([
      'alpha', '  SKILL.md', '    1:harbour', '    2:harbour', '    2:Harbour', '  notes.md', '    1:harbour',
      'beta', '  prompts/ask.j2', '    2:harbour', 'shipped', '  SKILL.md', '    1:harbour',
    ]);
    expect([search.results.found?.matches, search.results.found?.files]).toEqual([6, 4]);
  });

  it('follows its switches, the path and the scope', async () => {
    b.client.workspace = WORKSPACE;
    await find('harbour');
    expect(shown()[0]).toBe('here');
    search.query.flip('word');
    await find('harbour');
    expect(shown()).not.toContain('here');
    search.query.flip('word');
    search.query.set({ scope: 'workspace' });
    await find('harbour');
    expect(shown()).toEqual(['here', '  SKILL.md', '    1:Harbour']);
    search.query.set({ scope: null, path: 'prompts/' });
    search.query.flip('case');
    await find('harbour');
    expect(shown()).toEqual(['beta', '  prompts/ask.j2', '    2:harbour']);
    expect(search.query.isNarrowed).toBe(true);
  });

  it('drops the answer to an older question', async () => {
    b.core.hold('text/search');
    await find('opens');
    await find('Ask');
    b.core.release('text/search');
    await flushPromises();
    expect(shown()).toEqual(['beta', '  prompts/ask.j2', '    2:Ask']);
    await find('opens');
    b.core.hold('text/search');
    await find('Ask');
    search.query.set({ text: '' });
    b.core.release('text/search');
    await flushPromises();
    expect([search.list.rows, search.results.busy]).toEqual([[], false]);
  });

  it('says that an expression is none, and keeps what was found', async () => {
    search.query.flip('regex');
    await find('harb.ur');
    expect(search.results.found?.matches).toBe(6);
    await find('harb(');
    expect(search.results.problem?.message).toContain("isn't a valid regular expression");
    expect(search.results.found?.matches).toBe(6);
    await replacing.ask();
    expect(replacing.asking).toBe(false);
    await find('harb');
    expect(search.results.problem).toBeNull();
  });

  it('says when it fails, and goes on', async () => {
    b.core.failing.set('text/search', fail('busy', 'the database is in use'));
    await find('harbour');
    expect([search.results.failure?.code, search.results.problem]).toEqual(['busy', null]);
    b.core.failing.clear();
    search.results.again();
    await flushPromises();
    expect([search.results.failure, search.results.found?.matches]).toEqual([null, 6]);
  });

  it('follows what others change while it is on the screen', async () => {
    search.shown(true);
    await find('harbour');
    b.core.writeElsewhere('beta', 'prompts/ask.j2', 'Nothing.\n');
    b.core.writeElsewhere('alpha', 'notes.md', 'Nothing.\n');
    await vi.advanceTimersByTimeAsync(300);
    await flushPromises();
    expect(search.results.found?.matches).toBe(4);
    expect(b.core.callsOf('text/search')).toHaveLength(2);
    search.shown(false);
    b.core.writeElsewhere('alpha', 'SKILL.md', 'Nothing.\n');
    await vi.advanceTimersByTimeAsync(300);
    await flushPromises();
    expect(search.results.found?.matches).toBe(4);
  });
});

describe('the list', () => {
  beforeEach(() => find('harbour'));

  it('is walked with the arrow keys, and opens a match at its place', () => {
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) search.list.key(key);
    search.list.key('Enter');
    expect(opened).toEqual([{ path: 'SKILL.md', at: '1:5-1:12', how: 'open' }]);
    search.list.key('ArrowLeft');
    expect(search.list.current).toMatchObject({ kind: 'file' });
    search.list.key('ArrowLeft');
    expect(shown().slice(0, 3)).toEqual(['alpha', '  SKILL.md', '  notes.md']);
    search.list.key('Enter');
    expect(shown()[2]).toBe('    1:harbour');
    search.list.click(row((one) => one.kind === 'match' && one.match.text === 'Harbour'));
    expect(opened.at(-1)).toEqual({ path: 'SKILL.md', at: '2:10-2:17', how: 'glance' });
  });

  it('steps from match to match over closed rows, around the end, past what is left out', () => {
    search.list.toggle(skillRow('beta'));
    search.excluded.toggle(skillRow('shipped'));
    search.list.cursor = fileRow('notes.md').id;
    for (const by of [1, 1, 1] as const) search.list.step(by);
    expect(opened.map(({ path, at }) => `${path} ${at}`)).toEqual(['notes.md 1:8-1:15', 'prompts/ask.j2 2:14-2:21', 'SKILL.md 1:5-1:12']);
    search.list.step(-1);
    expect(opened.at(-1)?.path).toBe('prompts/ask.j2');
    for (const one of search.list.rows) search.excluded.toggle(one, true);
    expect(search.list.step(1)).toBe(false);
  });

  it('leaves a match, a file or a skill out, and takes it in again', () => {
    search.list.cursor = row((one) => one.kind === 'match').id;
    search.list.key('Delete');
    expect(shown().slice(0, 4)).toEqual(['alpha some', '  SKILL.md some', '    1:harbour out', '    2:harbour']);
    expect(search.list.current).toMatchObject({ kind: 'match', match: { line: 2 } });
    search.list.cursor = skillRow('alpha').id;
    search.list.key(' ');
    expect(search.excluded.count).toBe(4);
    search.list.key(' ');
    expect(search.excluded.count).toBe(0);
    search.excluded.toggle(fileRow('notes.md'));
    expect(search.excluded.count).toBe(1);
  });

  it('keeps out what is left out when lines are put in above it, and forgets it with another search', async () => {
    search.excluded.toggle(row((one) => one.kind === 'match' && one.match.line === 2));
    b.core.writeElsewhere('alpha', 'SKILL.md', `New first line.\n${textOf('alpha', 'SKILL.md') ?? ''}`);
    search.results.again();
    await flushPromises();
    expect(shown().slice(2, 5)).toEqual(['    2:harbour', '    3:harbour out', '    3:Harbour']);
    await find('harbou');
    expect(search.excluded.count).toBe(0);
  });
});

describe('replacing', () => {
  beforeEach(async () => {
    search.query.setReplacing(true);
    search.query.set({ replacement: 'port' });
    await find('harbour');
  });

  it('shows what would stand there, and says beforehand what it would do', async () => {
    expect(row((one) => one.kind === 'match')).toMatchObject({ match: { text: 'harbour', instead: 'port' } });
    unsaved.add('prompts/ask.j2');
    await replacing.ask();
    expect(replacing.plan).toMatchObject({ matches: 4, changedFiles: 2, changedSkills: 1, more: false });
    expect(replacing.plan.locked.map((one) => one.slug)).toEqual(['shipped']);
    expect(replacing.plan.unsaved).toMatchObject([{ skill: { slug: 'beta' }, paths: ['prompts/ask.j2'] }]);
  });

  it('leaves out what was left out, tells what was kept, and is undone', async () => {
    search.excluded.toggle(row((one) => one.kind === 'match' && one.match.line === 2));
    await replacing.ask();
    await replacing.apply();
    await flushPromises();
    expect(skipped).toBe(1);
    expect(textOf('alpha', 'SKILL.md')).toBe('The port opens.\nharbour, port\n');
    expect(textOf('beta', 'prompts/ask.j2')).toContain('in the port');
    expect(textOf('shipped', 'SKILL.md')).toContain('harbour');
    expect(said()).toEqual(['Replaced 4 matches in 2 skills']);
    expect(replacing.skipped.map(({ name, failure }) => [name, failure.code])).toEqual([['SHIPPED', 'locked']]);
    expect(search.results.found?.matches).toBe(2);
    // Its line reads differently now, and it is still left out.
    expect([search.excluded.count, shown()[2]]).toEqual([1, '    2:harbour out']);

    const [toast] = toasts.list;
    toast?.actions[0]?.run();
    await flushPromises();
    expect(textOf('alpha', 'SKILL.md')).toBe('The harbour opens.\nharbour, Harbour\n');
    expect(b.core.find('alpha').summary.revision).toBe(3);
    expect(said().at(-1)).toBe('Undid the replacement in 2 skills');
    expect(search.results.found?.matches).toBe(6);
    search.query.set({ text: 'another' });
    expect(replacing.skipped).toEqual([]);
  });

  it('undoes nothing of a skill that was changed since', async () => {
    await replacing.ask();
    await replacing.apply();
    await flushPromises();
    b.core.writeElsewhere('beta', 'prompts/ask.j2', 'Mine now.\n');
    toasts.list[0]?.actions[0]?.run();
    await flushPromises();
    expect(textOf('beta', 'prompts/ask.j2')).toBe('Mine now.\n');
    expect(textOf('alpha', 'notes.md')).toBe('By the harbour.\n');
    expect(toasts.list.at(-1)).toMatchObject({ message: 'Undid the replacement in 1 skill, failed in 1', hint: expect.stringContaining('BETA: changed since') as string });
  });

  it('keeps a skill that was changed since the search, and one with unsaved text', async () => {
    await replacing.ask();
    b.core.writeElsewhere('beta', 'prompts/ask.j2', 'In the harbour.\n');
    const { id } = b.core.find('alpha').summary;
    await b.client.call('draft/save', { skill: id, scope: 'account', path: 'notes.md', base_revision: 1, text: 'typed' });
    await replacing.apply();
    await flushPromises();
    expect(Object.fromEntries(replacing.skipped.map(({ name, failure }) => [name, failure.code]))).toEqual({ ALPHA: 'unsavedDraft', BETA: 'revisionConflict', SHIPPED: 'locked' });
    expect(said()).toEqual([]);
    expect(textOf('alpha', 'SKILL.md')).toContain('harbour');
  });

  it('waits for the answer to what is typed before it asks', async () => {
    search.query.set({ text: 'opens', replacement: 'shuts' });
    await replacing.ask();
    expect(replacing.plan).toMatchObject({ matches: 1 });
    await replacing.apply();
    await flushPromises();
    expect(textOf('alpha', 'SKILL.md')).toContain('The harbour shuts.');
  });

  it('replaces only what is listed when there is more', async () => {
    b.core.texts.limit = 2;
    await find('Harbour');
    expect(replacing.plan).toMatchObject({ matches: 2, more: true });
    await replacing.apply();
    await flushPromises();
    expect(textOf('alpha', 'SKILL.md')).toBe('The port opens.\nport, Harbour\n');
  });

  it('says so when the core refuses it as a whole', async () => {
    await replacing.ask();
    b.core.failing.set('text/replace', fail('readOnly', 'the database can’t be written'));
    await replacing.apply();
    expect([replacing.asking, replacing.failure?.code, replacing.busy]).toEqual([true, 'readOnly', false]);
  });
});

it('a match is shown with little before it and in one line', () => {
  expect(lead('    short ')).toBe('short ');
  expect(lead('a very long beginning of a line that says ')).toBe('…of a line that says ');
  expect(lead('x'.repeat(80))).toHaveLength(25);
  expect(oneLine('a\nb\r\nc')).toBe('a↵b↵c');
});
