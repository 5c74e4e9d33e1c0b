import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../../tests/support';
import { StringBuffer } from '../document/buffer';
import type { DocumentKey } from '../document/document.svelte';
import { boxesOf } from './grid';
import { sideAt } from './tabDrag.svelte';
import { closeDeleted } from './fileChanges';
import { modeOf } from '../customEditors';
import { Tabs } from './tabs.svelte';

let b: Bench;
let tabs: Tabs;

const key = (path: string, slug = 'link-auditor'): DocumentKey => ({ scope: 'account', skillId: b.core.find(slug).summary.id, path });
const [MAIN, SCRIPT, RULES] = ['SKILL.md', 'scripts/audit.sh', 'references/rules.yaml'];
const shown = (all = tabs): string[][] => all.groups.list.map((group) => group.tabs.documents.map((document) => document.file.path));
const front = (all = tabs): (string | undefined)[] => all.groups.list.map((group) => group.document?.file.path);

function focusGroup(index: number): void {
  const group = tabs.groups.list[index];
  if (group) tabs.groups.show(group);
}

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  tabs = new Tabs(b.client, b.catalog, b.settings);
});

describe('text and custom editor', () => {
  const modes = (): unknown[] => tabs.groups.list.map((group) => (group.active?.kind === 'file' ? group.active.mode : null));

  it('are chosen for each tab, and a tab keeps its choice where it is moved or split', () => {
    tabs.open(key(MAIN));
    tabs.groups.active.showAs('custom');
    tabs.arrangement.split('right');
    expect(modes()).toEqual(['custom', 'custom']);
    tabs.groups.active.showAs('text');
    expect(modes()).toEqual(['custom', 'text']);
    tabs.open(key(SCRIPT));
    expect(modes()).toEqual(['custom', undefined]);
    tabs.arrangement.moveToGroup(-1);
    tabs.groups.active.showAs('text');
    tabs.arrangement.moveToGroup(1);
    expect(modes()).toEqual(['custom', 'text']);
  });

  it('are by default what the editor says', () => {
    expect([modeOf({}, null), modeOf({}, { opensAsText: true }), modeOf({ mode: 'custom' }, { opensAsText: true }), modeOf({ mode: 'text' }, null)]).toEqual(['custom', 'text', 'custom', 'text']);
  });
});

describe('splitting', () => {
  it('shows the same document in a second group, which has the keyboard', async () => {
    const document = tabs.open(key(MAIN));
    await flushPromises();
    tabs.arrangement.split('right');
    expect(shown()).toEqual([[MAIN], [MAIN]]);
    expect(tabs.groups.active).toBe(tabs.groups.list[1]);
    expect([tabs.document, tabs.documents.list]).toEqual([document, [document]]);
    expect(b.core.callsOf('file/read')).toHaveLength(1);
    expect(new Set(tabs.groups.tabs.map((tab) => tab.id)).size).toBe(2);
  });

  it('goes up to three groups', () => {
    tabs.open(key(MAIN));
    tabs.arrangement.split('right');
    tabs.arrangement.split('down');
    expect([tabs.groups.list.length, tabs.arrangement.canSplit]).toEqual([3, false]);
    tabs.arrangement.split('right');
    expect(tabs.groups.list).toHaveLength(3);
  });

  it('opens files in the group with the keyboard, or beside it', () => {
    tabs.open(key(MAIN));
    tabs.open(key(SCRIPT), { beside: true });
    expect(shown()).toEqual([[MAIN], [SCRIPT]]);
    tabs.open(key(RULES));
    expect(shown()).toEqual([[MAIN], [SCRIPT, RULES]]);
    focusGroup(0);
    tabs.open(key(RULES), { beside: true });
    expect(shown()).toEqual([[MAIN], [SCRIPT, RULES]]);
    expect(tabs.document?.file.path).toBe(RULES);
  });

  it('has a preview for each group', () => {
    tabs.open(key(MAIN), { preview: true });
    tabs.open(key(SCRIPT), { preview: true, beside: true });
    tabs.open(key(RULES), { preview: true });
    expect(shown()).toEqual([[MAIN], [RULES]]);
  });
});

describe('closing', () => {
  it('takes the empty group away, and keeps a document that another group has', async () => {
    const document = tabs.open(key(MAIN));
    await flushPromises();
    tabs.arrangement.split('right');
    document.content.attach(new StringBuffer('unsaved'));
    document.content.edited();
    expect(tabs.close(tabs.groups.active.activeId ?? '')).toBeNull();
    expect(shown()).toEqual([[MAIN]]);
    expect(tabs.close(tabs.groups.active.activeId ?? '')).toBe(document);
    expect([tabs.groups.list.length, tabs.document]).toEqual([1, null]);
  });

  it('shows what was used before, not what is beside', () => {
    for (const path of [MAIN, SCRIPT, RULES]) tabs.open(key(path));
    tabs.open(key(MAIN));
    tabs.open(key(RULES));
    tabs.close(tabs.groups.active.activeId ?? '');
    expect(tabs.document?.file.path).toBe(MAIN);
  });

  it('is undone in its group, at its place, with its cursor', () => {
    for (const path of [MAIN, SCRIPT]) tabs.open(key(path));
    const left = tabs.groups.active;
    const document = tabs.open(key(RULES), { beside: true });
    tabs.history.recordCursor(tabs.groups.active, document, { line: 7, column: 3 });
    focusGroup(0);
    const main = left.tabs.list[0]?.id ?? '';
    tabs.history.recordCursor(left, left.tabs.documents[0] ?? document, { line: 4, column: 2 });
    tabs.close(main);
    focusGroup(1);
    tabs.closed.reopen();
    expect(shown()).toEqual([[MAIN, SCRIPT], [RULES]]);
    expect([tabs.groups.active, tabs.document?.revealTarget]).toEqual([left, { line: 4, column: 2 }]);
  });

  it('of a skill closes its files in all groups', async () => {
    tabs.open(key(MAIN));
    tabs.arrangement.split('right');
    tabs.open(key('SKILL.md', 'timeline-builder'));
    await flushPromises();
    closeDeleted(tabs, b.core.find('link-auditor').summary);
    expect(tabs.documents.list.map((document) => document.file.skill.id)).toEqual([b.core.find('timeline-builder').summary.id]);
    expect(tabs.groups.list).toHaveLength(1);
  });
});

describe('moving a tab', () => {
  it('goes to the next group, makes one past the end, and leaves no empty one', () => {
    for (const path of [MAIN, SCRIPT]) tabs.open(key(path));
    tabs.arrangement.moveToGroup(1);
    expect([shown(), tabs.document?.file.path]).toEqual([[[MAIN], [SCRIPT]], SCRIPT]);
    tabs.arrangement.moveToGroup(-1);
    expect(shown()).toEqual([[MAIN, SCRIPT]]);
    tabs.close(tabs.groups.active.activeId ?? '');
    // The only tab of the only group has nowhere to go.
    tabs.arrangement.moveToGroup(1);
    expect(shown()).toEqual([[MAIN]]);
  });

  it('takes its cursor along', () => {
    tabs.open(key(MAIN));
    const document = tabs.open(key(SCRIPT));
    tabs.history.recordCursor(tabs.groups.active, document, { line: 9, column: 1 });
    tabs.arrangement.moveToGroup(1);
    expect(tabs.groups.active.cursors.get(tabs.groups.active.activeId ?? '')).toEqual({ line: 9, column: 1 });
  });

  it('becomes the tab that is there already', () => {
    for (const path of [MAIN, SCRIPT]) tabs.open(key(path));
    tabs.arrangement.split('right');
    focusGroup(0);
    tabs.arrangement.moveToGroup(1);
    expect(shown()).toEqual([[MAIN], [SCRIPT]]);
  });

  it('changes its place within a group', () => {
    for (const path of [MAIN, SCRIPT, RULES]) tabs.open(key(path));
    tabs.arrangement.shift(-1);
    expect(shown()).toEqual([[MAIN, RULES, SCRIPT]]);
    tabs.arrangement.move(tabs.groups.tabs[0]?.id ?? '', { group: tabs.groups.active, index: 2 });
    expect(shown()).toEqual([[RULES, SCRIPT, MAIN]]);
  });

  it('makes a group beside another one also when it leaves an empty one, with three groups', () => {
    for (const path of [MAIN, SCRIPT, RULES]) tabs.open(key(path));
    tabs.arrangement.split('right');
    tabs.arrangement.split('right');
    const [first, , third] = tabs.groups.list;
    if (!first || !third) throw new Error('three groups');
    tabs.arrangement.move(third.tabs.list[0]?.id ?? '', { beside: first, side: 'down' });
    expect(shown()).toEqual([[MAIN, SCRIPT, RULES], [RULES], [RULES]]);
    tabs.arrangement.move(first.tabs.list[0]?.id ?? '', { beside: first, side: 'right' });
    expect(tabs.groups.list).toHaveLength(3);
  });

  it('brings all tabs into one group', () => {
    tabs.open(key(MAIN));
    tabs.arrangement.split('right');
    tabs.open(key(SCRIPT));
    tabs.open(key(RULES), { beside: true });
    tabs.arrangement.joinGroups();
    expect([shown(), tabs.document?.file.path]).toEqual([[[RULES, MAIN, SCRIPT]], RULES]);
  });

  it('by pointer makes a group near an edge only', () => {
    expect([sideAt(0.1, 0.5), sideAt(0.9, 0.5), sideAt(0.5, 0.1), sideAt(0.5, 0.9), sideAt(0.5, 0.5)]).toEqual(['left', 'right', 'up', 'down', null]);
  });
});

describe('the switcher', () => {
  it('goes through the tabs of the group by last use', () => {
    for (const path of [MAIN, SCRIPT, RULES]) tabs.open(key(path));
    tabs.open(key(MAIN));
    tabs.switcher.step(1);
    tabs.switcher.commit();
    expect(tabs.document?.file.path).toBe(RULES);
    tabs.switcher.step(1);
    tabs.switcher.step(1);
    expect(tabs.document?.file.path).toBe(RULES);
    tabs.switcher.commit();
    expect(tabs.document?.file.path).toBe(SCRIPT);
    tabs.switcher.step(-1);
    tabs.switcher.cancel();
    expect(tabs.document?.file.path).toBe(SCRIPT);
    tabs.switcher.back();
    expect(tabs.document?.file.path).toBe(RULES);
  });
});

describe('going back', () => {
  it('goes to files, also closed ones, with their place', async () => {
    const main = tabs.open(key(MAIN));
    await flushPromises();
    tabs.history.recordCursor(tabs.groups.active, main, { line: 30, column: 2 });
    tabs.open(key(SCRIPT));
    tabs.close(tabs.groups.tabs[0]?.id ?? '');
    expect([tabs.history.canGoBack, tabs.history.canGoForward]).toEqual([true, false]);
    tabs.history.goBack();
    expect([tabs.document?.file.path, tabs.document?.revealTarget]).toEqual([MAIN, { line: 30, column: 2 }]);
    tabs.history.goForward();
    expect(tabs.document?.file.path).toBe(SCRIPT);
  });
});

describe('a restart', () => {
  const again = async (): Promise<Tabs> => {
    await flushPromises();
    await vi.advanceTimersByTimeAsync(1_000);
    const after = new Tabs(b.client, b.catalog, b.settings);
    await after.session.restore();
    await flushPromises();
    return after;
  };

  it('brings groups, their places, their tabs and cursors back', async () => {
    const main = tabs.open(key(MAIN));
    tabs.history.recordCursor(tabs.groups.active, main, { line: 12, column: 4 });
    tabs.arrangement.split('right');
    tabs.open(key(SCRIPT));
    tabs.open(key(RULES), { beside: true, preview: true });
    tabs.arrangement.split('down');
    focusGroup(1);
    tabs.groups.layout.resize({ path: [], index: 0, direction: 'row', before: { x: 0, y: 0, width: 0.5, height: 1 }, after: { x: 0.5, y: 0, width: 0.5, height: 1 } }, 0.3);
    const after = await again();
    expect(shown(after)).toEqual(shown());
    expect(front(after)).toEqual(front());
    expect(after.groups.list.indexOf(after.groups.active)).toBe(1);
    const first = after.groups.list[0];
    expect(first?.cursors.get(first.activeId ?? '')).toEqual({ line: 12, column: 4 });
    expect([...boxesOf(after.groups.layout.grid).values()]).toEqual([...boxesOf(tabs.groups.layout.grid).values()]);
    // One document behind both tabs.
    expect(after.documents.list.filter((document) => document.file.path === MAIN)).toHaveLength(1);
  });

  it('skips groups whose skills were deleted', async () => {
    tabs.open(key(MAIN));
    tabs.open(key('SKILL.md', 'timeline-builder'), { beside: true });
    await flushPromises();
    await vi.advanceTimersByTimeAsync(1_000);
    b.core.find('timeline-builder').deleted = true;
    await b.catalog.reload();
    const after = await again();
    expect(shown(after)).toEqual([[MAIN]]);
  });

  it('takes nonsense for one empty group', async () => {
    for (const value of [4, { place: '', groups: 'x' }, { place: '', groups: [{ tabs: [{ scope: 'x' }] }, 3], grid: { direction: 'row', parts: [{ grid: 0, size: 9 }] }, active: 7 }]) {
      b.settings.set('ui.tabs.none', value);
      const after = await again();
      expect([after.groups.tabs, after.groups.list.length]).toEqual([[], 1]);
    }
  });

  it('reads what an earlier version kept', async () => {
    const { scope, skillId } = key(MAIN);
    b.settings.set('ui.tabs', { '': { tabs: [{ scope, skill: skillId, path: MAIN }, { scope, skill: skillId, path: SCRIPT }], active: 0 } });
    const after = await again();
    expect([shown(after), front(after)]).toEqual([[[MAIN, SCRIPT]], [MAIN]]);
  });
});
