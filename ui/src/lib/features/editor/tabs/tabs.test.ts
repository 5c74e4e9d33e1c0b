import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../../tests/support';
import { Catalog, ChangeFeed, Client } from '$lib/api';
import { StringBuffer } from '../document/buffer';
import type { Document } from '../document/document.svelte';
import { discardChanges, keepOurs } from '../document/resolution';
import { followMove } from './fileChanges';
import { Tabs } from './tabs.svelte';

let b: Bench;
let tabs: Tabs;

const key = (slug: string, path: string): { scope: 'account'; skillId: string; path: string } => ({
  scope: 'account',
  skillId: b.core.find(slug).summary.id,
  path,
});
const paths = (): string[] => tabs.documents.list.map((document) => document.file.path);

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  tabs = new Tabs(b.client, b.catalog, b.settings);
});

describe('opening', () => {
  it('shows the tab of a file that is open already', async () => {
    const first = tabs.open(key('timeline-builder', 'SKILL.md'));
    tabs.open(key('timeline-builder', 'prompts/order.j2'));
    expect(tabs.open(key('timeline-builder', 'SKILL.md'))).toBe(first);
    await flushPromises();
    expect(tabs.groups.tabs).toHaveLength(2);
    expect(tabs.document).toBe(first);
  });

  it('replaces the preview by the next one, unless it was edited or pinned', async () => {
    tabs.open(key('timeline-builder', 'SKILL.md'), { preview: true });
    tabs.open(key('link-auditor', 'SKILL.md'), { preview: true });
    await flushPromises();
    expect(tabs.groups.tabs).toHaveLength(1);
    tabs.document?.content.attach(new StringBuffer('edited'));
    tabs.document?.content.edited();
    tabs.open(key('timeline-builder', 'SKILL.md'), { preview: true });
    expect(tabs.groups.tabs).toHaveLength(2);
    tabs.arrangement.pin(tabs.groups.active.activeId ?? '');
    tabs.open(key('link-auditor', 'scripts/audit.sh'), { preview: true });
    expect(tabs.groups.tabs).toHaveLength(3);
  });

  it('keeps a preview that was edited, also once it is saved', async () => {
    tabs.open(key('link-auditor', 'SKILL.md'), { preview: true });
    await flushPromises();
    const document = tabs.document;
    const buffer = new StringBuffer('edited');
    document?.content.attach(buffer);
    document?.content.edited();
    expect(await document?.sync.save()).toBe(true);
    expect(document?.content.dirty).toBe(false);
    tabs.open(key('timeline-builder', 'SKILL.md'), { preview: true });
    expect(tabs.groups.tabs).toHaveLength(2);
  });

  it('keeps the preview when another file is opened for good', async () => {
    tabs.open(key('timeline-builder', 'SKILL.md'), { preview: true });
    tabs.open(key('link-auditor', 'SKILL.md'));
    await flushPromises();
    expect(tabs.groups.tabs.map((tab) => tab.preview)).toEqual([true, false]);
  });

  it('asks for the place of a problem', () => {
    const document = tabs.open(key('timeline-builder', 'SKILL.md'), { at: { line: 3, column: 2 } });
    expect(document.revealTarget).toEqual({ line: 3, column: 2 });
  });
});

describe('closing', () => {
  it('goes to the neighbor, and reopens in reverse order', () => {
    for (const path of ['SKILL.md', 'scripts/audit.sh', 'references/rules.yaml']) tabs.open(key('link-auditor', path));
    tabs.groups.activate(tabs.groups.tabs[1]?.id ?? '');
    tabs.close(tabs.groups.active.activeId ?? '');
    expect(tabs.document?.file.path).toBe('references/rules.yaml');
    tabs.close(tabs.groups.active.activeId ?? '');
    expect(tabs.document?.file.path).toBe('SKILL.md');
    tabs.closed.reopen();
    expect(tabs.document?.file.path).toBe('references/rules.yaml');
    tabs.closed.reopen();
    expect(tabs.document?.file.path).toBe('scripts/audit.sh');
    expect(tabs.closed.canReopen).toBe(false);
  });

  it('keeps unsaved text as a draft, which the reopened tab has', async () => {
    const document = tabs.open(key('timeline-builder', 'SKILL.md'));
    await flushPromises();
    document.content.attach(new StringBuffer('unsaved'));
    document.content.edited();
    tabs.close(tabs.groups.active.activeId ?? '');
    await flushPromises();
    expect([...b.core.drafts.values()]).toMatchObject([{ text: 'unsaved' }]);
    tabs.closed.reopen();
    await flushPromises();
    expect(tabs.document?.content.text()).toBe('unsaved');
    expect(tabs.document?.content.dirty).toBe(true);
  });
});

it('steps around in both directions', () => {
  for (const path of ['SKILL.md', 'scripts/audit.sh']) tabs.open(key('link-auditor', path));
  tabs.switcher.stepInOrder(1);
  expect(tabs.document?.file.path).toBe('SKILL.md');
  tabs.switcher.stepInOrder(-1);
  expect(tabs.document?.file.path).toBe('scripts/audit.sh');
});

it('comes back after a crash, with the text that was being typed', async () => {
  tabs.open(key('link-auditor', 'SKILL.md'));
  const typed = tabs.open(key('timeline-builder', 'prompts/order.j2'));
  tabs.open(key('link-auditor', 'scripts/audit.sh'));
  tabs.groups.activate(tabs.groups.tabs[1]?.id ?? '');
  await flushPromises();
  typed.content.attach(new StringBuffer('half a sen'));
  typed.content.edited();
  await vi.advanceTimersByTimeAsync(1_000);

  // Another process starts over the same core; nothing was closed properly.
  const after = new Tabs(b.client, b.catalog, b.settings);
  await after.session.restore();
  await flushPromises();
  expect(after.documents.list.map((document) => document.file.path)).toEqual(['SKILL.md', 'prompts/order.j2', 'scripts/audit.sh']);
  expect(after.document?.file.path).toBe('prompts/order.j2');
  expect(after.document?.content.text()).toBe('half a sen');
  expect(after.document?.content.dirty).toBe(true);
});

describe('unsaved text of what was deleted before a crash', () => {
  async function restoredAfter(change: () => void): Promise<Tabs> {
    const document = tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await flushPromises();
    document.content.attach(new StringBuffer('half a sen'));
    document.content.edited();
    await vi.advanceTimersByTimeAsync(1_000);
    change();
    // What happens between the crash and the next start reaches no window.
    await flushPromises();
    b = { ...b, catalog: new Catalog(b.client, b.feed) };
    await b.catalog.reload();
    const after = new Tabs(b.client, b.catalog, b.settings);
    await after.session.restore();
    await vi.waitFor(() => expect(after.document?.content.text()).toBe('half a sen'));
    await flushPromises();
    expect(after.document).toMatchObject({ status: 'ready', content: { dirty: true }, conflict: { external: { theirs: null } } });
    return after;
  }

  it('comes back without its file, and can be saved again', async () => {
    const after = await restoredAfter(() => b.core.writeElsewhere('timeline-builder', 'prompts/order.j2', null));
    expect(after.document && (await keepOurs(after.document))).toBe(true);
    expect(b.core.find('timeline-builder').files.get('prompts/order.j2')?.text).toBe('half a sen');
  });

  it('comes back without its skill, which can be restored', async () => {
    const skill = b.core.find('timeline-builder');
    const stored = skill.files.get('prompts/order.j2')?.text;
    const after = await restoredAfter(() => {
      skill.deleted = true;
    });
    skill.deleted = false;
    b.core.emit('skill', [skill.summary.id]);
    await flushPromises();
    expect(after.document).toMatchObject({ file: { text: stored }, content: { dirty: true }, conflict: { external: null } });
    expect(after.document?.content.text()).toBe('half a sen');
  });

  it('isn’t based on what others stored before the deletion', async () => {
    const skill = b.core.find('timeline-builder');
    const after = await restoredAfter(() => {
      b.core.writeElsewhere('timeline-builder', 'prompts/order.j2', 'theirs');
      skill.deleted = true;
    });
    skill.deleted = false;
    b.core.emit('skill', [skill.summary.id]);
    await flushPromises();
    expect(after.document).toMatchObject({ file: { text: '' }, content: { dirty: true }, conflict: { external: { theirs: 'theirs' } } });
  });
});

describe('a file that was renamed just before a crash', () => {
  const move = (moves: { from: string; to: string }[]): Promise<unknown> =>
    b.client.call('file/move', { skill: b.core.find('timeline-builder').summary.id, moves });
  const restored = async (): Promise<Tabs> => {
    const after = new Tabs(b.client, b.catalog, b.settings);
    await after.session.restore();
    await flushPromises();
    return after;
  };
  const pathsOf = (after: Tabs): string[] => after.documents.list.map((document) => document.file.path);

  it('is stored at once', async () => {
    tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await vi.advanceTimersByTimeAsync(1_000);
    await move([{ from: 'prompts/order.j2', to: 'prompts/sort.j2' }]);
    followMove(tabs, b.core.find('timeline-builder').summary, 'prompts/order.j2', 'prompts/sort.j2');
    await vi.advanceTimersByTimeAsync(0);
    const stored = b.core.calls.findLast((call) => call.name === 'settings/set');
    expect(JSON.stringify(stored?.params)).toContain('prompts/sort.j2');
  });

  it('comes back under its new name, also after several', async () => {
    tabs.open(key('timeline-builder', 'prompts/order.j2'));
    tabs.open(key('timeline-builder', 'SKILL.md'));
    await vi.advanceTimersByTimeAsync(1_000);
    await move([{ from: 'prompts/order.j2', to: 'prompts/sort.j2' }]);
    await move([{ from: 'prompts/sort.j2', to: 'texts/sort.j2' }]);
    const after = await restored();
    await vi.waitFor(() => expect(pathsOf(after)).toEqual(['texts/sort.j2', 'SKILL.md']));
    await vi.waitFor(() => expect(after.documents.list[0]?.status).toBe('ready'));
    expect(after.groups.tabs).toHaveLength(2);
  });

  it('has one tab when the new name is open too', async () => {
    tabs.open(key('timeline-builder', 'prompts/order.j2'));
    tabs.open(key('timeline-builder', 'SKILL.md'));
    await vi.advanceTimersByTimeAsync(1_000);
    b.settings.set('ui.tabs', { '': { tabs: ['prompts/order.j2', 'prompts/sort.j2'].map((path) => ({ scope: 'account', skill: key('timeline-builder', path).skillId, path })), active: 0 } });
    b.settings.set('ui.tabs.none', null);
    await move([{ from: 'prompts/order.j2', to: 'prompts/sort.j2' }]);
    const after = await restored();
    await vi.waitFor(() => expect(pathsOf(after)).toEqual(['prompts/sort.j2']));
  });

  it('stays with its old name, and fails to load, when no file replaced it', async () => {
    tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await vi.advanceTimersByTimeAsync(1_000);
    await b.client.call('file/delete', { skill: b.core.find('timeline-builder').summary.id, paths: ['prompts/order.j2'] });
    const after = await restored();
    await vi.waitFor(() => expect(after.document?.status).toBe('failed'));
    expect(pathsOf(after)).toEqual(['prompts/order.j2']);
  });

  it('is found when its closed tab is opened again', async () => {
    tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await flushPromises();
    tabs.close(tabs.groups.active.activeId ?? '');
    await move([{ from: 'prompts/order.j2', to: 'prompts/sort.j2' }]);
    tabs.closed.reopen();
    await vi.waitFor(() => expect(paths()).toEqual(['prompts/sort.j2']));
  });
});

it('leaves out what no longer exists, and survives nonsense in the setting', async () => {
  b.settings.set('ui.tabs', { '': { tabs: [{ scope: 'account', skill: 'deleted', path: 'x' }, 4, null], active: 'x' } });
  await tabs.session.restore();
  expect(tabs.groups.tabs).toEqual([]);
  b.settings.set('ui.tabs', [1, 2]);
  await tabs.session.restore();
  expect(tabs.groups.tabs).toEqual([]);
});

it('remembers the tabs of each workspace apart', async () => {
  tabs.open(key('link-auditor', 'SKILL.md'));
  await vi.advanceTimersByTimeAsync(500);
  b.client.workspace = '/home/ada/notes';
  await tabs.session.restore();
  expect(tabs.groups.tabs).toEqual([]);
  tabs.open(key('timeline-builder', 'SKILL.md'));
  await vi.advanceTimersByTimeAsync(500);
  b.client.workspace = null;
  await tabs.session.restore();
  await flushPromises();
  expect(tabs.documents.list.map((document) => document.file.skill.id)).toEqual([b.core.find('link-auditor').summary.id]);
});

describe('a file that another window has open, too', () => {
  const typed = async (document: Document, text: string): Promise<void> => {
    b.core.now += 1_000;
    document.content.attach(new StringBuffer(text));
    document.content.edited();
    await vi.advanceTimersByTimeAsync(400);
    await flushPromises();
  };
  const drafts = (): string[] => [...b.core.drafts.values()].map(({ path, text }) => `${path}: ${text}`);
  const followed = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(600);
    await flushPromises();
  };

  async function open(path: string): Promise<Document> {
    const client = new Client(b.core);
    const feed = new ChangeFeed();
    await feed.start(b.core, () => null);
    const catalog = new Catalog(client, feed);
    await catalog.reload();
    const document = new Tabs(client, catalog, b.settings).open(key('timeline-builder', path));
    await flushPromises();
    return document;
  }

  it('keeps its unsaved text although the other window stores its own and saves it', async () => {
    const [first, second] = [await open('SKILL.md'), await open('SKILL.md')];
    await typed(first, 'of the first');
    await typed(second, 'of the second');
    expect(await second.sync.save()).toBe(true);
    await followed();
    expect(first.conflict.external).toMatchObject({ theirs: 'of the second' });
    expect(drafts()).toEqual(['SKILL.md: of the first']);
  });

  it('keeps its unsaved text as it closes while the other window has text, too', async () => {
    const [first, second] = [await open('SKILL.md'), await open('SKILL.md')];
    await typed(first, 'of the first');
    await typed(second, 'of the second');
    b.core.now += 1_000;
    await first.close();
    await followed();
    expect(await second.sync.save()).toBe(true);
    await followed();
    expect(drafts()).toEqual(['SKILL.md: of the first']);
  });

  it('keeps its unsaved text although the other window discards what it continued', async () => {
    const first = await open('SKILL.md');
    await typed(first, 'of the first');
    const second = await open('SKILL.md');
    expect(second.content.text()).toBe('of the first');
    await discardChanges(second);
    expect(drafts()).toEqual([]);
    await followed();
    expect(drafts()).toEqual(['SKILL.md: of the first']);
    await discardChanges(first);
    await followed();
    expect(drafts()).toEqual([]);
  });

  it('is followed with its unsaved text when it is renamed there', async () => {
    const first = await open('prompts/order.j2');
    await typed(first, 'mine');
    const { id } = b.core.find('timeline-builder').summary;
    await b.client.call('file/move', { skill: id, moves: [{ from: 'prompts/order.j2', to: 'prompts/sort.j2' }] });
    await followed();
    expect([first.file.path, first.content.text(), first.conflict.external]).toEqual(['prompts/sort.j2', 'mine', null]);
    expect(drafts()).toEqual(['prompts/sort.j2: mine']);
    expect(await keepOurs(first)).toBe(true);
    expect([...b.core.find('timeline-builder').files.keys()]).toEqual(['SKILL.md', 'prompts/sort.j2']);
  });
});

describe('a skill that changes', () => {
  it('is loaded once it is back, as after its database was replaced', async () => {
    const skill = b.core.find('timeline-builder');
    const wanted = key('timeline-builder', 'SKILL.md');
    skill.deleted = true;
    const document = tabs.open(wanted);
    await flushPromises();
    expect(document.status).toBe('failed');
    skill.deleted = false;
    b.core.emit('skill', [skill.summary.id]);
    await flushPromises();
    expect([document.status, document.failure]).toEqual(['ready', null]);
  });

  it('closes the tabs of a deleted one, but not with unsaved text', async () => {
    tabs.open(key('timeline-builder', 'SKILL.md'));
    const kept = tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await flushPromises();
    kept.content.attach(new StringBuffer('mine'));
    kept.content.edited();
    const skill = b.core.find('timeline-builder');
    skill.deleted = true;
    b.core.emit('skill', [skill.summary.id]);
    await flushPromises();
    expect(paths()).toEqual(['prompts/order.j2']);
    expect(kept.conflict.external).toMatchObject({ theirs: null });
  });

  it('is no draft any more once it is saved, also one of a session before', async () => {
    const { id } = b.core.find('timeline-builder').summary;
    const key = { scope: 'account' as const, skillId: id, path: 'prompts/order.j2' };
    await b.client.call('draft/save', { skill: id, scope: 'account', path: key.path, base_revision: 1, text: 'Half a thought' });
    await b.catalog.reload();
    expect(b.catalog.drafts.list).toHaveLength(1);
    tabs.open(key);
    await flushPromises();
    await tabs.document?.sync.save();
    await vi.advanceTimersByTimeAsync(300);
    await flushPromises();
    expect(b.catalog.drafts.list).toEqual([]);
  });

  it('follows a file that was renamed here, draft included', async () => {
    const document = tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await flushPromises();
    document.content.attach(new StringBuffer('mine'));
    document.content.edited();
    await vi.advanceTimersByTimeAsync(400);
    const { summary } = b.core.find('timeline-builder');
    await b.client.call('file/move', { skill: summary.id, moves: [{ from: 'prompts/order.j2', to: 'prompts/sort.j2' }] });
    followMove(tabs, summary, 'prompts/order.j2', 'prompts/sort.j2');
    await flushPromises();
    expect(paths()).toEqual(['prompts/sort.j2']);
    expect([...b.core.drafts.values()].map((draft) => draft.path)).toEqual(['prompts/sort.j2']);
    expect(document.conflict.external).toBeNull();
  });
});
