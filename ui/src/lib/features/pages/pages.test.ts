import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, settle } from '../../../../tests/support';
import { fieldsOf, fieldText } from './fields';
import { Finder } from './finder.svelte';
import { Indexing } from './indexing.svelte';
import { LooseEnds } from './looseEnds.svelte';
import { PageFind } from './pageFind.svelte';
import { Reader } from './reader.svelte';
import { readable } from './snippet';

let b: Bench;
let indexing: Indexing;
let finder: Finder;
let reader: Reader;
let shown: string[];

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  b.client.workspace = '/home/ada/notes';
  const { pages } = b.core;
  pages.put('index', 'Index', 'See [[Mara Venn]].');
  pages.put('people/mara', 'Mara Venn', 'Born on [[Gull Stair|the stair]], taught by [[Nobody Here]].', { type: 'character', tags: ['keepers'] });
  pages.put('places/stair', 'Gull Stair', 'Steep. Here lived [[Mara Venn]].', { type: 'place', tags: ['harbour', 'keepers'] });
  shown = [];
  indexing = new Indexing(b.client);
  reader = new Reader(b.client);
  finder = new Finder(b.client, indexing, (slug) => {
    shown.push(slug);
    finder.select(slug);
  });
});

const titles = (): (string | undefined)[] => Array.from({ length: finder.total }, (_, index) => finder.row(index)?.title);
const type = async (query: string): Promise<void> => {
  finder.type(query);
  await vi.advanceTimersByTimeAsync(150);
  await settle();
};

describe('the list', () => {
  it('has all pages, narrowed by type and tag', async () => {
    finder.start();
    await settle();
    expect(titles()).toEqual(['Gull Stair', 'Index', 'Mara Venn']);
    expect(finder.facets).toEqual({ types: { character: 1, place: 1 }, tags: { harbour: 1, keepers: 2 } });
    finder.filter({ tag: 'keepers' });
    await settle();
    expect(titles()).toEqual(['Gull Stair', 'Mara Venn']);
    finder.filter({ type: 'place' });
    await settle();
    expect(titles()).toEqual(['Gull Stair']);
  });

  it('of ten thousand is read where it is looked at', async () => {
    for (let count = 0; count < 10_000; count += 1) b.core.pages.put(`many/p${count}`, `P ${String(count).padStart(5, '0')}`, '');
    finder.start();
    await settle();
    expect(finder.total).toBe(10_003);
    expect(b.core.callsOf('page/list')).toHaveLength(1);
    expect(finder.row(9_000)).toBeNull();
    finder.look(8_990, 9_030);
    await settle();
    expect(finder.row(9_000)?.title).toBe('P 08997');
    expect(b.core.callsOf('page/list').map((call) => call['offset'])).toEqual([0, 8_800, 9_000]);
  });

  it('is read again where it is looked at, and goes on from the page that moved', async () => {
    finder.start();
    await settle();
    await finder.go(2);
    expect(shown).toEqual(['people/mara']);
    b.core.pages.put('a', 'A first one', '');
    finder.refresh();
    await settle();
    expect(titles()).toEqual(['A first one', 'Gull Stair', 'Index', 'Mara Venn']);
    await finder.step(-1);
    expect(shown.at(-1)).toBe('index');
  });

  it('reaches a row that was never in sight', async () => {
    for (let count = 0; count < 500; count += 1) b.core.pages.put(`many/p${count}`, `P ${String(count).padStart(5, '0')}`, '');
    finder.start();
    await settle();
    await finder.go(finder.total - 1);
    expect(shown).toEqual(['many/p499']);
  });

  it('that is narrowed stays until the narrow one is there', async () => {
    finder.start();
    await settle();
    const before = finder.edition;
    b.core.hold('page/list');
    finder.filter({ type: 'place' });
    await settle();
    expect([titles().length, finder.edition]).toEqual([3, before]);
    b.core.release('page/list');
    await settle();
    expect(titles()).toEqual(['Gull Stair']);
    expect(finder.edition).not.toBe(before);
    finder.reset();
    expect([finder.total, finder.loaded]).toEqual([0, false]);
  });

  it('says what is wrong, and is tried again', async () => {
    b.core.failing.set('page/list', fail('io', 'the folder can’t be read'));
    finder.start();
    await settle();
    expect([finder.loaded, finder.failure?.message]).toEqual([false, 'the folder can’t be read']);
    b.core.failing.clear();
    finder.refresh();
    await settle();
    expect([finder.loaded, finder.failure, finder.total]).toEqual([true, null, 3]);
  });
});

describe('a search', () => {
  it('shows pieces of pages without their marks, and says how many it found', async () => {
    expect(readable('…taught by [[Nobody Here]], see [[Gull Stair|the stair]] and [a map](map.md)')).toBe('…taught by Nobody Here, see the stair and a map');
    expect(readable('…Lantern House]] # The Ledger Theft The **ninth** of `Fog` [[Harrow')).toBe('…Lantern House The Ledger Theft The ninth of Fog Harrow');
    expect(readable('issue #12, a[0] and C# > D')).toBe('issue #12, a[0] and C# > D');
    expect(finder.matches).toBeNull();
    await type('keepers');
    expect(finder.matches).toBe('2 matches');
    finder.filter({ type: 'place' });
    await settle();
    expect(finder.matches).toBe('1 match');
  });

  it('waits for the typing, and takes the last answer only', async () => {
    finder.start();
    b.core.hold('page/search');
    await type('mara');
    await type('steep');
    expect(finder.loaded).toBe(false);
    b.core.release('page/search');
    await settle();
    expect(titles()).toEqual(['Gull Stair']);
    expect(b.core.callsOf('page/search').map((call) => call['query'])).toEqual(['mara', 'steep']);
    finder.type('');
    expect(titles()).toEqual(['Gull Stair', 'Index', 'Mara Venn']);
  });

  it('is narrowed too', async () => {
    await type('mara');
    expect(titles()).toHaveLength(3);
    finder.filter({ tag: 'keepers' });
    await settle();
    expect(titles()).toEqual(['Mara Venn', 'Gull Stair']);
  });

  it('opens what was typed, not what was found before', async () => {
    finder.start();
    await type('mara');
    finder.type('steep');
    await finder.first();
    expect(shown).toEqual(['places/stair']);
  });
});

describe('a page', () => {
  it('has its links both ways, and its history', async () => {
    reader.show('people/mara');
    await settle();
    expect(reader.detail?.references.in.map((link) => link.slug)).toEqual(['index', 'places/stair']);
    expect(reader.pageOf('Gull Stair')).toBe('places/stair');
    expect([...reader.broken]).toEqual(['Nobody Here']);
    expect(reader.pageOf('Nobody Here')).toBeNull();
    expect(reader.history).toEqual([]);
  });

  it('is found by its title, and what is sought in it', async () => {
    reader.show('Mara Venn', { sought: 'Gull Stair' });
    await settle();
    expect(reader.goal).toEqual({ slug: 'people/mara', sought: 'Gull Stair' });
    expect(reader.sought).toBe('Gull Stair');
  });

  it('can be gone back to and forward from', async () => {
    for (const slug of ['index', 'people/mara', 'places/stair']) reader.show(slug);
    reader.back();
    reader.back();
    expect([reader.goal?.slug, reader.canGoBack]).toEqual(['index', false]);
    reader.forward();
    expect([reader.goal?.slug, reader.canGoOn]).toEqual(['people/mara', true]);
    reader.show('index');
    expect(reader.canGoOn).toBe(false);
    await settle();
    expect(reader.detail?.page.title).toBe('Index');
  });

  it('that is skimmed leaves no step on the way back', () => {
    reader.show('index');
    reader.show('people/mara', { along: false });
    expect(reader.canGoBack).toBe(false);
  });

  it('is read again; one that is gone says so', async () => {
    reader.show('index');
    await settle();
    b.core.pages.put('index', 'Index', 'Other words.');
    reader.refresh();
    await settle();
    expect(reader.detail?.page.body).toBe('Other words.');
    b.core.pages.remove('index');
    reader.refresh();
    await settle();
    expect(reader.failure?.code).toBe('notFound');
    reader.show('people/mara');
    await settle();
    expect([reader.failure, reader.detail?.page.title]).toEqual([null, 'Mara Venn']);
  });

  it('that comes late isn’t shown', async () => {
    b.core.hold('page/get');
    reader.show('index');
    reader.show('places/stair');
    b.core.release('page/get');
    await settle();
    expect(reader.detail?.page.slug).toBe('places/stair');
  });
});

describe('the index', () => {
  it('tells how far it is while a list waits for it', async () => {
    b.core.hold('page/list');
    b.core.pages.status = { ...b.core.pages.status, progress: { done: 40, total: 100 } };
    finder.start();
    await vi.advanceTimersByTimeAsync(250);
    expect(indexing.progress).toEqual({ done: 40, total: 100 });
    b.core.pages.status = { ...b.core.pages.status, progress: null };
    b.core.release('page/list');
    await settle();
    expect(indexing.progress).toBeNull();
    const asked = b.core.callsOf('page/status').length;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(b.core.callsOf('page/status')).toHaveLength(asked);
  });

  it('is followed while someone else makes it', async () => {
    b.core.pages.status = { ...b.core.pages.status, progress: { done: 1, total: 9 } };
    indexing.ask();
    await settle();
    b.core.pages.status = { ...b.core.pages.status, progress: null };
    await vi.advanceTimersByTimeAsync(250);
    expect(indexing.progress).toBeNull();
  });
});

it('loose ends are links that lead nowhere and pages that nothing leads to', async () => {
  b.core.pages.put('alone', 'Alone', '');
  const loose = new LooseEnds(b.client);
  loose.refresh();
  await settle();
  expect(loose.broken).toMatchObject([{ page: 'people/mara', target: 'Nobody Here', line: 5 }]);
  expect(loose.orphans?.map((page) => page.slug)).toEqual(['alone']);
});

it('the palette offers what was changed last, then what has the words', async () => {
  b.core.pages.put('new', 'Newest', '', { modified: '2027-01-01T00:00:00Z' });
  const find = new PageFind(b.client);
  find.start();
  await settle();
  expect(find.choices[0]).toMatchObject({ slug: 'new', note: 'new.md' });
  find.type('gull');
  expect(find.busy).toBe(true);
  await vi.advanceTimersByTimeAsync(100);
  await settle();
  expect(find.choices.map((one) => one.slug)).toEqual(['people/mara', 'places/stair']);
});

it('fields are shown on one line, without those of the head', () => {
  const page = b.core.pages.get('index').page;
  expect(fieldsOf({ ...page, frontmatter: { title: 'Index', Tags: ['a'], born: 187, aliases: ['One', 'Two'], of: { a: 1 }, none: null } })).toEqual([
    ['born', '187'], ['aliases', 'One, Two'], ['of', '{"a":1}'], ['none', ''],
  ]);
  expect(fieldText(true)).toBe('true');
});
