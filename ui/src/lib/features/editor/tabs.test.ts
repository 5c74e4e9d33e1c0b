import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, settle } from '../../../../tests/support';
import { StringBuffer } from './buffer';
import { Tabs } from './tabs.svelte';

let b: Bench;
let tabs: Tabs;

const key = (slug: string, path: string): { scope: 'account'; skillId: string; path: string } => ({
  scope: 'account',
  skillId: b.core.find(slug).summary.id,
  path,
});
const paths = (): string[] => tabs.documents.map((document) => document.path);

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
    await settle();
    expect(tabs.list).toHaveLength(2);
    expect(tabs.document).toBe(first);
  });

  it('replaces the preview by the next one, unless it was edited or pinned', async () => {
    tabs.open(key('timeline-builder', 'SKILL.md'), { preview: true });
    tabs.open(key('link-auditor', 'SKILL.md'), { preview: true });
    await settle();
    expect(tabs.list).toHaveLength(1);
    tabs.document?.attach(new StringBuffer('edited'));
    tabs.document?.edited();
    tabs.open(key('timeline-builder', 'SKILL.md'), { preview: true });
    expect(tabs.list).toHaveLength(2);
    tabs.pin(tabs.activeId ?? '');
    tabs.open(key('link-auditor', 'scripts/audit.sh'), { preview: true });
    expect(tabs.list).toHaveLength(3);
  });

  it('keeps a preview that was edited, also once it is saved', async () => {
    tabs.open(key('link-auditor', 'SKILL.md'), { preview: true });
    await settle();
    const document = tabs.document;
    const buffer = new StringBuffer('edited');
    document?.attach(buffer);
    document?.edited();
    expect(await document?.save()).toBe(true);
    expect(document?.dirty).toBe(false);
    tabs.open(key('timeline-builder', 'SKILL.md'), { preview: true });
    expect(tabs.list).toHaveLength(2);
  });

  it('keeps the preview when another file is opened for good', async () => {
    tabs.open(key('timeline-builder', 'SKILL.md'), { preview: true });
    tabs.open(key('link-auditor', 'SKILL.md'));
    await settle();
    expect(tabs.list.map((tab) => tab.preview)).toEqual([true, false]);
  });

  it('asks for the place of a problem', () => {
    const document = tabs.open(key('timeline-builder', 'SKILL.md'), { at: { line: 3, column: 2 } });
    expect(document.goal).toEqual({ line: 3, column: 2 });
  });
});

describe('closing', () => {
  it('goes to the neighbour, and reopens in reverse order', () => {
    for (const path of ['SKILL.md', 'scripts/audit.sh', 'references/rules.yaml']) tabs.open(key('link-auditor', path));
    tabs.activate(tabs.list[1]?.id ?? '');
    tabs.close(tabs.activeId ?? '');
    expect(tabs.document?.path).toBe('references/rules.yaml');
    tabs.close(tabs.activeId ?? '');
    expect(tabs.document?.path).toBe('SKILL.md');
    tabs.reopen();
    expect(tabs.document?.path).toBe('references/rules.yaml');
    tabs.reopen();
    expect(tabs.document?.path).toBe('scripts/audit.sh');
    expect(tabs.canReopen).toBe(false);
  });

  it('keeps unsaved text as a draft, which the reopened tab has', async () => {
    const document = tabs.open(key('timeline-builder', 'SKILL.md'));
    await settle();
    document.attach(new StringBuffer('unsaved'));
    document.edited();
    tabs.close(tabs.activeId ?? '');
    await settle();
    expect([...b.core.drafts.values()]).toMatchObject([{ text: 'unsaved' }]);
    tabs.reopen();
    await settle();
    expect(tabs.document?.text()).toBe('unsaved');
    expect(tabs.document?.dirty).toBe(true);
  });
});

it('steps around in both directions', () => {
  for (const path of ['SKILL.md', 'scripts/audit.sh']) tabs.open(key('link-auditor', path));
  tabs.step(1);
  expect(tabs.document?.path).toBe('SKILL.md');
  tabs.step(-1);
  expect(tabs.document?.path).toBe('scripts/audit.sh');
});

it('comes back after a crash, with the text that was being typed', async () => {
  tabs.open(key('link-auditor', 'SKILL.md'));
  const typed = tabs.open(key('timeline-builder', 'prompts/order.j2'));
  tabs.open(key('link-auditor', 'scripts/audit.sh'));
  tabs.activate(tabs.list[1]?.id ?? '');
  await settle();
  typed.attach(new StringBuffer('half a sen'));
  typed.edited();
  await vi.advanceTimersByTimeAsync(1_000);

  // Another process starts over the same core; nothing was closed properly.
  const after = new Tabs(b.client, b.catalog, b.settings);
  await after.restore();
  await settle();
  expect(after.documents.map((document) => document.path)).toEqual(['SKILL.md', 'prompts/order.j2', 'scripts/audit.sh']);
  expect(after.document?.path).toBe('prompts/order.j2');
  expect(after.document?.text()).toBe('half a sen');
  expect(after.document?.dirty).toBe(true);
});

describe('a file that was renamed just before a crash', () => {
  const move = (moves: { from: string; to: string }[]): Promise<unknown> =>
    b.client.call('file/move', { skill: b.core.find('timeline-builder').summary.id, moves });
  const restored = async (): Promise<Tabs> => {
    const after = new Tabs(b.client, b.catalog, b.settings);
    await after.restore();
    await settle();
    return after;
  };
  const pathsOf = (after: Tabs): string[] => after.documents.map((document) => document.path);

  it('is told at once', async () => {
    tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await vi.advanceTimersByTimeAsync(1_000);
    await move([{ from: 'prompts/order.j2', to: 'prompts/sort.j2' }]);
    tabs.moved(b.core.find('timeline-builder').summary, 'prompts/order.j2', 'prompts/sort.j2');
    await vi.advanceTimersByTimeAsync(0);
    const told = b.core.calls.findLast((call) => call.name === 'settings/set');
    expect(JSON.stringify(told?.params)).toContain('prompts/sort.j2');
  });

  it('comes back under its new name, also after several', async () => {
    tabs.open(key('timeline-builder', 'prompts/order.j2'));
    tabs.open(key('timeline-builder', 'SKILL.md'));
    await vi.advanceTimersByTimeAsync(1_000);
    await move([{ from: 'prompts/order.j2', to: 'prompts/sort.j2' }]);
    await move([{ from: 'prompts/sort.j2', to: 'texts/sort.j2' }]);
    const after = await restored();
    await vi.waitFor(() => expect(pathsOf(after)).toEqual(['texts/sort.j2', 'SKILL.md']));
    await vi.waitFor(() => expect(after.documents[0]?.status).toBe('ready'));
    expect(after.list).toHaveLength(2);
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

  it('stays with its old name, and says that it is gone, when nothing came in its place', async () => {
    tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await vi.advanceTimersByTimeAsync(1_000);
    await b.client.call('file/delete', { skill: b.core.find('timeline-builder').summary.id, paths: ['prompts/order.j2'] });
    const after = await restored();
    await vi.waitFor(() => expect(after.document?.status).toBe('failed'));
    expect(pathsOf(after)).toEqual(['prompts/order.j2']);
  });

  it('is found when its closed tab is opened again', async () => {
    tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await settle();
    tabs.close(tabs.activeId ?? '');
    await move([{ from: 'prompts/order.j2', to: 'prompts/sort.j2' }]);
    tabs.reopen();
    await vi.waitFor(() => expect(paths()).toEqual(['prompts/sort.j2']));
  });
});

it('leaves out what no longer exists, and survives nonsense in the setting', async () => {
  b.settings.set('ui.tabs', { '': { tabs: [{ scope: 'account', skill: 'gone', path: 'x' }, 4, null], active: 'x' } });
  await tabs.restore();
  expect(tabs.list).toEqual([]);
  b.settings.set('ui.tabs', [1, 2]);
  await tabs.restore();
  expect(tabs.list).toEqual([]);
});

it('remembers the tabs of each workspace apart', async () => {
  tabs.open(key('link-auditor', 'SKILL.md'));
  await vi.advanceTimersByTimeAsync(500);
  b.client.workspace = '/home/ada/notes';
  await tabs.restore();
  expect(tabs.list).toEqual([]);
  tabs.open(key('timeline-builder', 'SKILL.md'));
  await vi.advanceTimersByTimeAsync(500);
  b.client.workspace = null;
  await tabs.restore();
  await settle();
  expect(tabs.documents.map((document) => document.skillId)).toEqual([b.core.find('link-auditor').summary.id]);
});

describe('a skill that changes', () => {
  it('closes the tabs of a deleted one, but not with unsaved text', async () => {
    tabs.open(key('timeline-builder', 'SKILL.md'));
    const kept = tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await settle();
    kept.attach(new StringBuffer('mine'));
    kept.edited();
    const skill = b.core.find('timeline-builder');
    skill.deleted = true;
    b.core.emit('skill', [skill.summary.id]);
    await settle();
    expect(paths()).toEqual(['prompts/order.j2']);
    expect(kept.external).toMatchObject({ theirs: null });
  });

  it('is no draft any more once it is saved, also one of a session before', async () => {
    const { id } = b.core.find('timeline-builder').summary;
    const key = { scope: 'account' as const, skillId: id, path: 'prompts/order.j2' };
    await b.client.call('draft/save', { skill: id, scope: 'account', path: key.path, base_revision: 1, text: 'Half a thought' });
    await b.catalog.reload();
    expect(b.catalog.drafts).toHaveLength(1);
    tabs.open(key);
    await settle();
    await tabs.document?.save();
    await vi.advanceTimersByTimeAsync(300);
    await settle();
    expect(b.catalog.drafts).toEqual([]);
  });

  it('follows a file that was renamed here, draft included', async () => {
    const document = tabs.open(key('timeline-builder', 'prompts/order.j2'));
    await settle();
    document.attach(new StringBuffer('mine'));
    document.edited();
    await vi.advanceTimersByTimeAsync(400);
    const { summary } = b.core.find('timeline-builder');
    await b.client.call('file/move', { skill: summary.id, moves: [{ from: 'prompts/order.j2', to: 'prompts/sort.j2' }] });
    tabs.moved(summary, 'prompts/order.j2', 'prompts/sort.j2');
    await settle();
    expect(paths()).toEqual(['prompts/sort.j2']);
    expect([...b.core.drafts.values()].map((draft) => draft.path)).toEqual(['prompts/sort.j2']);
    expect(document.external).toBeNull();
  });
});
