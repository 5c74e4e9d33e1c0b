import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import type { Seed } from '../../../../tests/fake/seed';
import { type Bench, bench, fakeTimers, settle } from '../../../../tests/support';
import { Tree, type TreeEvents } from './tree.svelte';

let b: Bench;
let tree: Tree;
let events: { [K in keyof TreeEvents]: ReturnType<typeof vi.fn<TreeEvents[K]>> };

const labels = (): string[] => tree.rows.map((row) => `${' '.repeat(row.level - 1)}${row.label}`);
const press = (...keys: string[]): void => {
  for (const key of keys) tree.key(key, 0);
};

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  events = {
    create: vi.fn(),
    open: vi.fn(),
    menu: vi.fn(),
    mayRename: vi.fn<TreeEvents['mayRename']>(() => true),
    rename: vi.fn<TreeEvents['rename']>(() => Promise.resolve(null)),
    remove: vi.fn(),
    bring: vi.fn(),
  };
  tree = new Tree(b.catalog, events, { problems: () => ({ errors: 0, warnings: 0 }), isDirty: () => false });
});

it('lists both scopes, the workspace only when one is open', async () => {
  expect(labels()).toEqual(['Account', ' Consistency Checker', ' Link Auditor', ' Timeline Builder']);
  b.client.workspace = '/home/ada/notes';
  await b.catalog.reload();
  tree.hasWorkspace = true;
  expect(labels().slice(0, 3)).toEqual(['Workspace', ' Link Auditor', 'Account']);
  const rows = tree.rows.filter((row) => row.kind === 'skill').map((row) => row.skill);
  expect(rows.find((skill) => skill.scope === 'workspace')?.shadows).toBe(true);
  expect(rows.find((skill) => skill.scope === 'account' && skill.slug === 'link-auditor')?.shadowed).toBe(true);
});

it('reads a skill when it is opened, and shows SKILL.md, folders, files', async () => {
  tree.cursor = tree.rows[1]?.id ?? null;
  press('ArrowRight');
  expect(labels()).toContain('  Loading…');
  await settle();
  expect(labels().slice(1, 12)).toEqual([
    ' Consistency Checker',
    '  SKILL.md',
    '  assets',
    '   diagram.png',
    '  dspy',
    '   dspy-checker.json',
    '  prompts',
    '   check-prompt.anthropic.j2',
    '   check-prompt.j2',
    '  scripts',
    '   cross-reference.py',
  ]);
  const files = tree.rows.filter((row) => row.level === 3);
  expect(files.map((row) => row.place)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(files.every((row) => row.siblings === 6)).toBe(true);
});

it('says why a skill can’t be read, and tries again on a click', async () => {
  b.core.failing.set('skill/get', fail('corrupt', 'the row is damaged'));
  const row = tree.rows[1];
  if (row) tree.toggle(row);
  await settle();
  const note = tree.rows.find((one) => one.kind === 'note');
  expect(note?.label).toContain('the row is damaged');
  b.core.failing.clear();
  if (note) tree.click(note);
  await settle();
  expect(labels()).toContain('  SKILL.md');
});

describe('the keyboard', () => {
  beforeEach(async () => {
    tree.cursor = tree.rows[0]?.id ?? null;
    press('ArrowDown', 'ArrowRight');
    await settle();
  });

  it('goes in and out', () => {
    press('ArrowRight');
    expect(tree.current?.label).toBe('SKILL.md');
    press('ArrowLeft');
    expect(tree.current?.label).toBe('Consistency Checker');
    press('ArrowLeft');
    expect(labels()).not.toContain('  SKILL.md');
    press('ArrowLeft');
    expect(tree.current?.label).toBe('Account');
  });

  it('goes to both ends and doesn’t leave them', () => {
    press('End', 'ArrowDown');
    expect(tree.current?.label).toBe('Timeline Builder');
    press('Home', 'ArrowUp');
    expect(tree.current?.label).toBe('Account');
  });

  it('previews with Space and opens with Enter', () => {
    press('ArrowRight', ' ');
    expect(events.open).toHaveBeenLastCalledWith(expect.anything(), 'SKILL.md', { preview: true, focus: false });
    press('Enter');
    expect(events.open).toHaveBeenLastCalledWith(expect.anything(), 'SKILL.md', { preview: false, focus: true });
  });

  it('jumps to what is typed', () => {
    tree.key('c', 0);
    expect(tree.current?.label).toBe('check-prompt.anthropic.j2');
    tree.key('r', 100);
    expect(tree.current?.label).toBe('cross-reference.py');
    tree.key('t', 5_000);
    expect(tree.current?.label).toBe('Timeline Builder');
    tree.key('c', 9_000);
    tree.key('c', 9_100);
    expect(tree.current?.label).toBe('check-prompt.anthropic.j2');
  });

  it('asks to rename and to delete', () => {
    press('ArrowRight', 'F2', 'Delete');
    expect(events.mayRename).toHaveBeenCalledOnce();
    expect(tree.editing?.row.label).toBe('SKILL.md');
    expect(events.remove).toHaveBeenCalledOnce();
  });

  it('closes and opens a folder', () => {
    press('ArrowRight', 'ArrowDown', 'ArrowLeft');
    expect(tree.current?.label).toBe('assets');
    expect(labels()).not.toContain('   diagram.png');
    press('ArrowRight');
    expect(labels()).toContain('   diagram.png');
  });
});

it('filters by name, slug and tag', () => {
  tree.filter = 'WORLDB';
  expect(labels()).toEqual(['Account', ' Consistency Checker']);
  tree.filter = 'nothing like it';
  expect(labels()).toEqual(['Account', ' No matching skills']);
});

it('offers to make the first skill of a workspace', async () => {
  b.core.find('link-auditor', 'workspace').deleted = true;
  b.client.workspace = '/home/ada/notes';
  await b.catalog.reload();
  tree.hasWorkspace = true;
  expect(labels()[1]).toBe(' No skills yet');
  const note = tree.rows[1];
  if (note) tree.activate(note);
  expect(events.create).toHaveBeenCalledWith('workspace');
});

it('shows the way to a file', async () => {
  const { summary } = b.core.find('timeline-builder');
  tree.reveal(summary, 'prompts/order.j2');
  await settle();
  expect(tree.current).toMatchObject({ kind: 'file', label: 'order.j2' });
});

it('marks files and skills with drafts', async () => {
  const { summary } = b.core.find('timeline-builder');
  await b.client.call('draft/save', { skill: summary.id, path: 'prompts/order.j2', base_revision: 1, text: 'x' });
  await vi.advanceTimersByTimeAsync(500);
  tree.reveal(summary, 'prompts/order.j2');
  await settle();
  expect(tree.rows.filter((row) => tree.hasDraft(row)).map((row) => row.label)).toEqual(['Timeline Builder', 'order.j2']);
});

describe('choosing several rows', () => {
  beforeEach(async () => {
    const row = tree.rows[1];
    if (row) tree.toggle(row);
    await settle();
    tree.cursor = tree.rows[2]?.id ?? null;
  });

  const chosen = (): string[] => tree.chosen.map((row) => row.label);
  const row = (label: string) => {
    const found = tree.rows.find((one) => one.label === label);
    if (!found) throw new Error(`no ${label}`);
    return found;
  };

  it('takes a range with Shift and the arrows, and gives it back on the way', () => {
    tree.key('ArrowDown', 0, { shift: true });
    tree.key('ArrowDown', 0, { shift: true });
    expect(chosen()).toEqual(['SKILL.md', 'assets']);
    expect([...tree.selection.ids]).toHaveLength(3);
    tree.key('ArrowUp', 0, { shift: true });
    tree.key('ArrowUp', 0, { shift: true });
    expect(chosen()).toEqual(['SKILL.md']);
    tree.key('ArrowDown', 0);
    expect(tree.selection.size).toBe(0);
  });

  it('takes a range to a click with Shift, and single ones with Ctrl', () => {
    tree.click(row('SKILL.md'));
    tree.click(row('dspy-checker.json'), { shift: true });
    // What is in a chosen folder goes with it.
    expect(chosen()).toEqual(['SKILL.md', 'assets', 'dspy']);
    tree.click(row('check-prompt.j2'), { ctrl: true });
    expect(chosen()).toEqual(['SKILL.md', 'assets', 'dspy', 'check-prompt.j2']);
    tree.click(row('assets'), { ctrl: true });
    expect(chosen()).toEqual(['SKILL.md', 'diagram.png', 'dspy', 'check-prompt.j2']);
    expect(events.open).toHaveBeenCalledOnce();
  });

  it('means the row under the cursor too when a first one is added to it', () => {
    tree.click(row('check-prompt.j2'), { ctrl: true });
    expect(chosen()).toEqual(['SKILL.md', 'check-prompt.j2']);
  });

  it('takes all of a skill with Ctrl+A, on a skill all skills of its scope', () => {
    tree.key('a', 0, { ctrl: true });
    expect(tree.selection.size).toBe(tree.rows.filter((one) => one.level > 2).length);
    tree.cursor = row('Timeline Builder').id;
    tree.key('a', 0, { ctrl: true });
    expect(chosen()).toEqual(['Consistency Checker', 'Link Auditor', 'Timeline Builder']);
  });

  it('is given up with Escape, then what was cut', () => {
    tree.key('ArrowDown', 0, { shift: true });
    tree.take(true);
    expect(tree.isCut(row('SKILL.md'))).toBe(true);
    expect(tree.key('Escape', 0)).toBe(true);
    expect(tree.selection.size).toBe(0);
    expect(tree.key('Escape', 0)).toBe(true);
    expect(tree.clipboard).toBeNull();
    expect(tree.key('Escape', 0)).toBe(false);
  });

  it('acts on the row alone that is dragged or asked from outside of what is chosen', () => {
    tree.click(row('SKILL.md'));
    tree.click(row('assets'), { shift: true });
    tree.menu(row('Timeline Builder'), { x: 0, y: 0 });
    expect(chosen()).toEqual(['Timeline Builder']);
    tree.click(row('check-prompt.j2'));
    tree.click(row('check-prompt.anthropic.j2'), { ctrl: true });
    tree.drag.press(row('Timeline Builder'), 0, 0);
    tree.drag.move(40, 40, false, () => null);
    expect(tree.drag.things?.map((one) => one.label)).toEqual(['Timeline Builder']);
    expect(tree.drag.drop()).toBe(true);
    expect(events.bring).not.toHaveBeenCalled();
  });
});

describe('a drag', () => {
  it('opens what it rests on, and is given up with Escape', async () => {
    const [, first, second] = tree.rows;
    if (!first || !second) throw new Error('no rows');
    tree.drag.press(second, 0, 0);
    tree.drag.move(30, 30, true, () => first);
    expect(tree.isOpen(first)).toBe(false);
    await vi.advanceTimersByTimeAsync(700);
    await settle();
    expect(tree.isOpen(first)).toBe(true);
    expect(tree.key('Escape', 0)).toBe(true);
    expect(tree.drag.active).toBe(false);
    expect(tree.drag.drop()).toBe(false);
  });

  it('does nothing while the pointer hardly moved: that is a click', () => {
    const row = tree.rows[1];
    if (row) tree.drag.press(row, 0, 0);
    tree.drag.move(3, 3, false, () => null);
    expect(tree.drag.drop()).toBe(false);
  });
});

describe('ten thousand skills', () => {
  const many = (count: number): Seed[] =>
    Array.from({ length: count }, (_, index) => ({
      scope: 'account',
      slug: `skill-${index}`,
      name: `Skill ${index}`,
      description: 'One of many.',
      files: { 'SKILL.md': { role: 'main', kind: 'description', name: 'Overview', text: '---\n---\n' } },
    }));

  beforeEach(async () => {
    b = await bench(many(10_000));
    tree = new Tree(b.catalog, events, { problems: () => ({ errors: 0, warnings: 0 }), isDirty: () => false });
  });

  it('come in pages, the first of them small, and are in order by number', () => {
    const pages = b.core.callsOf('skill/tree').map((call) => call['limit']);
    expect(pages).toEqual([200, 2_000, 2_000, 2_000, 2_000, 2_000]);
    expect(tree.rows).toHaveLength(10_001);
    expect(tree.rows.slice(1, 4).map((row) => row.label)).toEqual(['Skill 0', 'Skill 1', 'Skill 2']);
    expect(tree.rows.at(-1)?.label).toBe('Skill 9999');
  });

  it('keep their rows when one of them opens, and when one of them changes', async () => {
    const before = tree.rows;
    const [, first] = before;
    if (first) tree.toggle(first);
    await settle();
    const after = tree.rows;
    expect(after).toHaveLength(10_002);
    expect(after.filter((row, at) => row !== before[at <= 1 ? at : at - 1])).toHaveLength(1);
    b.core.find('skill-5000').summary.enabled = false;
    b.core.emit('skill', [b.core.find('skill-5000').summary.id]);
    await vi.advanceTimersByTimeAsync(200);
    await settle();
    const changed = tree.rows.filter((row, at) => row.kind === 'skill' && row !== after[at]);
    expect(changed.map((row) => row.label)).toEqual(['Skill 5000']);
    expect(b.core.callsOf('skill/tree').at(-1)).toMatchObject({ only: { scope: 'account', ids: [b.core.find('skill-5000').summary.id] } });
  });
});
