import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, settle } from '../../../../tests/support';
import { StringBuffer } from './buffer';
import type { DocumentKey } from './document.svelte';
import { boxesOf } from './grid';
import { sideAt } from './tabDrag.svelte';
import { Tabs } from './tabs.svelte';

let b: Bench;
let tabs: Tabs;

const key = (path: string, slug = 'link-auditor'): DocumentKey => ({ scope: 'account', skillId: b.core.find(slug).summary.id, path });
const [MAIN, SCRIPT, RULES] = ['SKILL.md', 'scripts/audit.sh', 'references/rules.yaml'];
const shown = (all = tabs): string[][] => all.groups.map((group) => group.documents.map((document) => document.path));
const front = (all = tabs): (string | undefined)[] => all.groups.map((group) => group.document?.path);

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  tabs = new Tabs(b.client, b.catalog, b.settings);
});

describe('splitting', () => {
  it('shows the same document in a second group, which has the keyboard', async () => {
    const document = tabs.open(key(MAIN));
    await settle();
    tabs.split('right');
    expect(shown()).toEqual([[MAIN], [MAIN]]);
    expect(tabs.group).toBe(tabs.groups[1]);
    expect([tabs.document, tabs.documents]).toEqual([document, [document]]);
    expect(b.core.callsOf('file/read')).toHaveLength(1);
    expect(new Set(tabs.list.map((tab) => tab.id)).size).toBe(2);
  });

  it('goes up to three groups', () => {
    tabs.open(key(MAIN));
    tabs.split('right');
    tabs.split('down');
    expect([tabs.groups.length, tabs.canSplit]).toEqual([3, false]);
    tabs.split('right');
    expect(tabs.groups).toHaveLength(3);
  });

  it('opens files in the group with the keyboard, or beside it', () => {
    tabs.open(key(MAIN));
    tabs.open(key(SCRIPT), { beside: true });
    expect(shown()).toEqual([[MAIN], [SCRIPT]]);
    tabs.open(key(RULES));
    expect(shown()).toEqual([[MAIN], [SCRIPT, RULES]]);
    tabs.focusGroup(0);
    tabs.open(key(RULES), { beside: true });
    expect(shown()).toEqual([[MAIN], [SCRIPT, RULES]]);
    expect(tabs.document?.path).toBe(RULES);
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
    await settle();
    tabs.split('right');
    document.attach(new StringBuffer('unsaved'));
    document.edited();
    expect(tabs.close(tabs.activeId ?? '')).toBeNull();
    expect(shown()).toEqual([[MAIN]]);
    expect(tabs.close(tabs.activeId ?? '')).toBe(document);
    expect([tabs.groups.length, tabs.document]).toEqual([1, null]);
  });

  it('shows what was used before, not what is beside', () => {
    for (const path of [MAIN, SCRIPT, RULES]) tabs.open(key(path));
    tabs.open(key(MAIN));
    tabs.open(key(RULES));
    tabs.close(tabs.activeId ?? '');
    expect(tabs.document?.path).toBe(MAIN);
  });

  it('is undone in its group, at its place, with its cursor', () => {
    for (const path of [MAIN, SCRIPT]) tabs.open(key(path));
    const left = tabs.group;
    const document = tabs.open(key(RULES), { beside: true });
    tabs.cursorAt(tabs.group, document, { line: 7, column: 3 });
    tabs.focusGroup(0);
    const main = left.list[0]?.id ?? '';
    tabs.cursorAt(left, left.documents[0] ?? document, { line: 4, column: 2 });
    tabs.close(main);
    tabs.focusGroup(1);
    tabs.reopen();
    expect(shown()).toEqual([[MAIN, SCRIPT], [RULES]]);
    expect([tabs.group, tabs.document?.goal]).toEqual([left, { line: 4, column: 2 }]);
  });

  it('of a skill closes its files in all groups', async () => {
    tabs.open(key(MAIN));
    tabs.split('right');
    tabs.open(key('SKILL.md', 'timeline-builder'));
    await settle();
    tabs.closeOf(b.core.find('link-auditor').summary);
    expect(tabs.documents.map((document) => document.skillId)).toEqual([b.core.find('timeline-builder').summary.id]);
    expect(tabs.groups).toHaveLength(1);
  });
});

describe('moving a tab', () => {
  it('goes to the next group, makes one past the end, and leaves no empty one', () => {
    for (const path of [MAIN, SCRIPT]) tabs.open(key(path));
    tabs.moveToGroup(1);
    expect([shown(), tabs.document?.path]).toEqual([[[MAIN], [SCRIPT]], SCRIPT]);
    tabs.moveToGroup(-1);
    expect(shown()).toEqual([[MAIN, SCRIPT]]);
    tabs.close(tabs.activeId ?? '');
    // The only tab of the only group has nowhere to go.
    tabs.moveToGroup(1);
    expect(shown()).toEqual([[MAIN]]);
  });

  it('takes its cursor along', () => {
    tabs.open(key(MAIN));
    const document = tabs.open(key(SCRIPT));
    tabs.cursorAt(tabs.group, document, { line: 9, column: 1 });
    tabs.moveToGroup(1);
    expect(tabs.group.cursorOf(tabs.activeId ?? '')).toEqual({ line: 9, column: 1 });
  });

  it('becomes the tab that is there already', () => {
    for (const path of [MAIN, SCRIPT]) tabs.open(key(path));
    tabs.split('right');
    tabs.focusGroup(0);
    tabs.moveToGroup(1);
    expect(shown()).toEqual([[MAIN], [SCRIPT]]);
  });

  it('changes its place within a group', () => {
    for (const path of [MAIN, SCRIPT, RULES]) tabs.open(key(path));
    tabs.shift(-1);
    expect(shown()).toEqual([[MAIN, RULES, SCRIPT]]);
    tabs.move(tabs.list[0]?.id ?? '', { group: tabs.group, index: 2 });
    expect(shown()).toEqual([[RULES, SCRIPT, MAIN]]);
  });

  it('makes a group beside another one also when it leaves an empty one, with three groups', () => {
    for (const path of [MAIN, SCRIPT, RULES]) tabs.open(key(path));
    tabs.split('right');
    tabs.split('right');
    const [first, , third] = tabs.groups;
    if (!first || !third) throw new Error('three groups');
    tabs.move(third.list[0]?.id ?? '', { beside: first, side: 'down' });
    expect(shown()).toEqual([[MAIN, SCRIPT, RULES], [RULES], [RULES]]);
    tabs.move(first.list[0]?.id ?? '', { beside: first, side: 'right' });
    expect(tabs.groups).toHaveLength(3);
  });

  it('brings all tabs into one group', () => {
    tabs.open(key(MAIN));
    tabs.split('right');
    tabs.open(key(SCRIPT));
    tabs.open(key(RULES), { beside: true });
    tabs.join();
    expect([shown(), tabs.document?.path]).toEqual([[[RULES, MAIN, SCRIPT]], RULES]);
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
    tabs.switcher.take();
    expect(tabs.document?.path).toBe(RULES);
    tabs.switcher.step(1);
    tabs.switcher.step(1);
    expect(tabs.document?.path).toBe(RULES);
    tabs.switcher.take();
    expect(tabs.document?.path).toBe(SCRIPT);
    tabs.switcher.step(-1);
    tabs.switcher.cancel();
    expect(tabs.document?.path).toBe(SCRIPT);
    tabs.switcher.back();
    expect(tabs.document?.path).toBe(RULES);
  });
});

describe('going back', () => {
  it('goes to files, also closed ones, with their place', async () => {
    const main = tabs.open(key(MAIN));
    await settle();
    tabs.cursorAt(tabs.group, main, { line: 30, column: 2 });
    tabs.open(key(SCRIPT));
    tabs.close(tabs.list[0]?.id ?? '');
    expect([tabs.canGoBack, tabs.canGoOn]).toEqual([true, false]);
    tabs.goBack();
    expect([tabs.document?.path, tabs.document?.goal]).toEqual([MAIN, { line: 30, column: 2 }]);
    tabs.goOn();
    expect(tabs.document?.path).toBe(SCRIPT);
  });
});

describe('a restart', () => {
  const again = async (): Promise<Tabs> => {
    await settle();
    await vi.advanceTimersByTimeAsync(1_000);
    const after = new Tabs(b.client, b.catalog, b.settings);
    await after.restore();
    await settle();
    return after;
  };

  it('brings groups, their places, their tabs and cursors back', async () => {
    const main = tabs.open(key(MAIN));
    tabs.cursorAt(tabs.group, main, { line: 12, column: 4 });
    tabs.split('right');
    tabs.open(key(SCRIPT));
    tabs.open(key(RULES), { beside: true, preview: true });
    tabs.split('down');
    tabs.focusGroup(1);
    tabs.resize({ path: [], index: 0, direction: 'row', before: { x: 0, y: 0, width: 0.5, height: 1 }, after: { x: 0.5, y: 0, width: 0.5, height: 1 } }, 0.3);
    const after = await again();
    expect(shown(after)).toEqual(shown());
    expect(front(after)).toEqual(front());
    expect(after.groups.indexOf(after.group)).toBe(1);
    const first = after.groups[0];
    expect(first?.cursorOf(first.activeId ?? '')).toEqual({ line: 12, column: 4 });
    expect([...boxesOf(after.grid).values()]).toEqual([...boxesOf(tabs.grid).values()]);
    // One document behind both tabs.
    expect(after.documents.filter((document) => document.path === MAIN)).toHaveLength(1);
  });

  it('leaves out groups whose skills are gone', async () => {
    tabs.open(key(MAIN));
    tabs.open(key('SKILL.md', 'timeline-builder'), { beside: true });
    await settle();
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
      expect([after.list, after.groups.length]).toEqual([[], 1]);
    }
  });

  it('reads what an earlier version kept', async () => {
    const { scope, skillId } = key(MAIN);
    b.settings.set('ui.tabs', { '': { tabs: [{ scope, skill: skillId, path: MAIN }, { scope, skill: skillId, path: SCRIPT }], active: 0 } });
    const after = await again();
    expect([shown(after), front(after)]).toEqual([[[MAIN, SCRIPT]], [MAIN]]);
  });
});
