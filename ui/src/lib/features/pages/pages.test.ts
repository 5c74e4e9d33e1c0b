import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { fieldsOf, fieldText } from './fields';
import { Finder } from './finder.svelte';
import { Indexing } from './indexing.svelte';
import { LinkProblems } from './linkProblems.svelte';
import { PageFind } from './pageFind.svelte';
import { Reader } from './reader.svelte';
import { readable } from './snippet';
import { pathBeside } from './pathBeside';

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
    finder.cursor.follow(slug);
  });
});

const titles = (): (string | undefined)[] => Array.from({ length: finder.rows.total }, (_, index) => finder.rows.at(index)?.title);
const type = async (query: string): Promise<void> => {
  finder.filter.type(query);
  await vi.advanceTimersByTimeAsync(150);
  await flushPromises();
};

describe('the list', () => {
  it('has all pages, narrowed by type and tag', async () => {
    finder.start();
    await flushPromises();
    expect(titles()).toEqual(['Gull Stair', 'Index', 'Mara Venn']);
    expect(finder.filter.facets).toEqual({ types: { character: 1, place: 1 }, tags: { harbour: 1, keepers: 2 } });
    finder.filter.change({ tag: 'keepers' });
    await flushPromises();
    expect(titles()).toEqual(['Gull Stair', 'Mara Venn']);
    finder.filter.change({ type: 'place' });
    await flushPromises();
    expect(titles()).toEqual(['Gull Stair']);
  });

  it('of ten thousand pages is loaded where it is visible', async () => {
    for (let count = 0; count < 10_000; count += 1) b.core.pages.put(`many/p${count}`, `P ${String(count).padStart(5, '0')}`, '');
    finder.start();
    await flushPromises();
    expect(finder.rows.total).toBe(10_003);
    expect(b.core.callsOf('page/list')).toHaveLength(1);
    expect(finder.rows.at(9_000)).toBeNull();
    finder.rows.show(8_990, 9_030);
    await flushPromises();
    expect(finder.rows.at(9_000)?.title).toBe('P 08997');
    expect(b.core.callsOf('page/list').map((call) => call['offset'])).toEqual([0, 8_800, 9_000]);
  });

  it('is reloaded where it is visible, and steps from the shown page even if it moved', async () => {
    finder.start();
    await flushPromises();
    await finder.cursor.open(2);
    expect(shown).toEqual(['people/mara']);
    b.core.pages.put('a', 'A first one', '');
    finder.refresh();
    await flushPromises();
    expect(titles()).toEqual(['A first one', 'Gull Stair', 'Index', 'Mara Venn']);
    await finder.cursor.step(-1);
    expect(shown.at(-1)).toBe('index');
  });

  it('reaches a row that was never visible', async () => {
    for (let count = 0; count < 500; count += 1) b.core.pages.put(`many/p${count}`, `P ${String(count).padStart(5, '0')}`, '');
    finder.start();
    await flushPromises();
    await finder.cursor.open(finder.rows.total - 1);
    expect(shown).toEqual(['many/p499']);
  });

  it('stays until the filtered one is loaded', async () => {
    finder.start();
    await flushPromises();
    const before = finder.rows.edition;
    b.core.hold('page/list');
    finder.filter.change({ type: 'place' });
    await flushPromises();
    expect([titles().length, finder.rows.edition]).toEqual([3, before]);
    b.core.release('page/list');
    await flushPromises();
    expect(titles()).toEqual(['Gull Stair']);
    expect(finder.rows.edition).not.toBe(before);
    finder.reset();
    expect([finder.rows.total, finder.rows.loaded]).toEqual([0, false]);
  });

  it('shows the failure, and retries', async () => {
    b.core.failing.set('page/list', fail('io', 'the folder can’t be read'));
    finder.start();
    await flushPromises();
    expect([finder.rows.loaded, finder.rows.failure?.message]).toEqual([false, 'the folder can’t be read']);
    b.core.failing.clear();
    finder.refresh();
    await flushPromises();
    expect([finder.rows.loaded, finder.rows.failure, finder.rows.total]).toEqual([true, null, 3]);
  });
});

describe('a search', () => {
  it('shows snippets without Markdown syntax, and the number of matches', async () => {
    expect(readable('…taught by [[Nobody Here]], see [[Gull Stair|the stair]] and [a map](map.md)')).toBe('…taught by Nobody Here, see the stair and a map');
    expect(readable('…Lantern House]] # The Ledger Theft The **ninth** of `Fog` [[Harrow')).toBe('…Lantern House The Ledger Theft The ninth of Fog Harrow');
    expect(readable('issue #12, a[0] and C# > D')).toBe('issue #12, a[0] and C# > D');
    expect(finder.search.matches).toBeNull();
    await type('keepers');
    expect(finder.search.matches).toBe('2 matches');
    finder.filter.change({ type: 'place' });
    await flushPromises();
    expect(finder.search.matches).toBe('1 match');
  });

  it('waits for a pause in typing, and uses the last reply only', async () => {
    finder.start();
    b.core.hold('page/search');
    await type('mara');
    await type('steep');
    expect(finder.rows.loaded).toBe(false);
    b.core.release('page/search');
    await flushPromises();
    expect(titles()).toEqual(['Gull Stair']);
    expect(b.core.callsOf('page/search').map((call) => call['query'])).toEqual(['mara', 'steep']);
    finder.filter.type('');
    expect(titles()).toEqual(['Gull Stair', 'Index', 'Mara Venn']);
  });

  it('applies the filter', async () => {
    await type('mara');
    expect(titles()).toHaveLength(3);
    finder.filter.change({ tag: 'keepers' });
    await flushPromises();
    expect(titles()).toEqual(['Mara Venn', 'Gull Stair']);
  });

  it('opens the best hit of the typed text, not of the one before', async () => {
    finder.start();
    await type('mara');
    finder.filter.type('steep');
    await finder.openFirst();
    expect(shown).toEqual(['places/stair']);
  });
});

describe('a page', () => {
  it('has links, backlinks and history', async () => {
    reader.show('people/mara');
    await flushPromises();
    expect(reader.detail?.references.in.map((link) => link.slug)).toEqual(['index', 'places/stair']);
    expect(reader.links.pageOf('Gull Stair')).toBe('places/stair');
    expect([...reader.links.broken]).toEqual(['Nobody Here']);
    expect(reader.links.pageOf('Nobody Here')).toBeNull();
    expect(reader.history.entries).toEqual([]);
  });

  it('is found by its title, with the heading to scroll to', async () => {
    reader.show('Mara Venn', { fragment: 'Gull Stair' });
    await flushPromises();
    expect(reader.location).toEqual({ slug: 'people/mara', fragment: 'Gull Stair' });
    expect(reader.fragment).toBe('Gull Stair');
  });

  it('can be navigated back and forward', async () => {
    for (const slug of ['index', 'people/mara', 'places/stair']) reader.show(slug);
    reader.navigation.back();
    reader.navigation.back();
    expect([reader.location?.slug, reader.navigation.canGoBack]).toEqual(['index', false]);
    reader.navigation.forward();
    expect([reader.location?.slug, reader.navigation.canGoForward]).toEqual(['people/mara', true]);
    reader.show('index');
    expect(reader.navigation.canGoForward).toBe(false);
    await flushPromises();
    expect(reader.detail?.page.title).toBe('Index');
  });

  it('that is opened with the arrow keys isn’t added to the back history', () => {
    reader.show('index');
    reader.show('people/mara', { along: false });
    expect(reader.navigation.canGoBack).toBe(false);
  });

  it('is reloaded, and shows that it was deleted', async () => {
    reader.show('index');
    await flushPromises();
    b.core.pages.put('index', 'Index', 'Other words.');
    reader.refresh();
    await flushPromises();
    expect(reader.detail?.page.body).toBe('Other words.');
    b.core.pages.remove('index');
    reader.refresh();
    await flushPromises();
    expect(reader.failure?.code).toBe('notFound');
    reader.show('people/mara');
    await flushPromises();
    expect([reader.failure, reader.detail?.page.title]).toEqual([null, 'Mara Venn']);
  });

  it('that arrives late isn’t shown', async () => {
    b.core.hold('page/get');
    reader.show('index');
    reader.show('places/stair');
    b.core.release('page/get');
    await flushPromises();
    expect(reader.detail?.page.slug).toBe('places/stair');
  });
});

describe('the index', () => {
  it('reports progress while a list waits for it', async () => {
    b.core.hold('page/list');
    b.core.pages.status = { ...b.core.pages.status, progress: { done: 40, total: 100 } };
    finder.start();
    await vi.advanceTimersByTimeAsync(250);
    expect(indexing.progress).toEqual({ done: 40, total: 100 });
    b.core.pages.status = { ...b.core.pages.status, progress: null };
    b.core.release('page/list');
    await flushPromises();
    expect(indexing.progress).toBeNull();
    const asked = b.core.callsOf('page/status').length;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(b.core.callsOf('page/status')).toHaveLength(asked);
  });

  it('is polled while another process builds it', async () => {
    b.core.pages.status = { ...b.core.pages.status, progress: { done: 1, total: 9 } };
    indexing.ask();
    await flushPromises();
    b.core.pages.status = { ...b.core.pages.status, progress: null };
    await vi.advanceTimersByTimeAsync(250);
    expect(indexing.progress).toBeNull();
  });
});

it('link problems are broken links and pages without backlinks', async () => {
  b.core.pages.put('alone', 'Alone', '');
  const linkProblems = new LinkProblems(b.client);
  linkProblems.refresh();
  await flushPromises();
  expect(linkProblems.broken).toMatchObject([{ page: 'people/mara', target: 'Nobody Here', line: 5 }]);
  expect(linkProblems.orphans?.map((page) => page.slug)).toEqual(['alone']);
});

it('the palette offers the last modified pages, and search hits once there is a query', async () => {
  b.core.pages.put('new', 'Newest', '', { modified: '2027-01-01T00:00:00Z' });
  const find = new PageFind(b.client);
  find.start();
  await flushPromises();
  expect(find.choices[0]).toMatchObject({ slug: 'new', note: 'new.md' });
  find.type('gull');
  expect(find.busy).toBe(true);
  await vi.advanceTimersByTimeAsync(100);
  await flushPromises();
  expect(find.choices.map((one) => one.slug)).toEqual(['people/mara', 'places/stair']);
});

it('fields are shown on one line, without those of the head', () => {
  const page = b.core.pages.get('index').page;
  expect(fieldsOf({ ...page, frontmatter: { title: 'Index', Tags: ['a'], born: 187, aliases: ['One', 'Two'], of: { a: 1 }, none: null } })).toEqual([
    ['born', '187'], ['aliases', 'One, Two'], ['of', '{"a":1}'], ['none', ''],
  ]);
  expect(fieldText(true)).toBe('true');
});

it('names the path beside a title only where it tells something else', () => {
  expect(pathBeside('the-river.md', 'The River')).toBe('');
  expect(pathBeside('places/north/The River.md', 'The river')).toBe('places/north');
  expect(pathBeside('places/tides.md', 'High and low water')).toBe('places/tides.md');
});
