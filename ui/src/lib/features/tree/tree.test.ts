import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import type { Seed } from '../../../../tests/fake/seed';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { Tree, type TreeEvents } from './tree.svelte';
import { type TreeActions, TreeInput } from './treeInput.svelte';

type Mocked<T extends { [K in keyof T]: (...args: never[]) => unknown }> = { [K in keyof T]: ReturnType<typeof vi.fn<T[K]>> };

let b: Bench;
let tree: Tree;
let input: TreeInput;
let events: Mocked<TreeEvents>;
let actions: Mocked<TreeActions>;

const labels = (): string[] => tree.model.rows.map((row) => `${' '.repeat(row.level - 1)}${row.label}`);
const press = (...keys: string[]): void => {
  for (const key of keys) input.key(key, 0);
};

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  actions = { create: vi.fn(), open: vi.fn(), menu: vi.fn(), remove: vi.fn() };
  events = {
    mayRename: vi.fn<TreeEvents['mayRename']>(() => true),
    rename: vi.fn<TreeEvents['rename']>(() => Promise.resolve(null)),
    transfer: vi.fn(),
  };
  tree = new Tree(b.catalog, events);
  input = new TreeInput(tree, b.catalog.details, actions);
});

it('lists both scopes, the workspace only when one is open', async () => {
  expect(labels()).toEqual(['Account', ' Consistency Checker', ' Link Auditor', ' Timeline Builder']);
  b.client.workspace = '/home/ada/notes';
  await b.catalog.reload();
  tree.model.hasWorkspace = true;
  expect(labels().slice(0, 3)).toEqual(['Workspace', ' Link Auditor', 'Account']);
  const rows = tree.model.rows.filter((row) => row.kind === 'skill').map((row) => row.skill);
  expect(rows.find((skill) => skill.scope === 'workspace')?.shadows).toBe(true);
  expect(rows.find((skill) => skill.scope === 'account' && skill.slug === 'link-auditor')?.shadowed).toBe(true);
});

it('loads a skill when it is expanded, and shows SKILL.md, folders, files', async () => {
  tree.cursor.id = tree.model.rows[1]?.id ?? null;
  press('ArrowRight');
  expect(labels()).toContain('  Loading…');
  await flushPromises();
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
  const files = tree.model.rows.filter((row) => row.level === 3);
  expect(files.map((row) => row.position)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(files.every((row) => row.siblings === 6)).toBe(true);
});

it('shows why a skill can’t be loaded, and retries on a click', async () => {
  b.core.failing.set('skill/get', fail('corrupt', 'the row is damaged'));
  const row = tree.model.rows[1];
  if (row) tree.model.toggle(row);
  await flushPromises();
  const note = tree.model.rows.find((one) => one.kind === 'note');
  expect(note?.label).toContain('the row is damaged');
  b.core.failing.clear();
  if (note) input.click(note);
  await flushPromises();
  expect(labels()).toContain('  SKILL.md');
});

describe('the keyboard', () => {
  beforeEach(async () => {
    tree.cursor.id = tree.model.rows[0]?.id ?? null;
    press('ArrowDown', 'ArrowRight');
    await flushPromises();
  });

  it('expands and collapses with the arrows', () => {
    press('ArrowRight');
    expect(tree.cursor.row?.label).toBe('SKILL.md');
    press('ArrowLeft');
    expect(tree.cursor.row?.label).toBe('Consistency Checker');
    press('ArrowLeft');
    expect(labels()).not.toContain('  SKILL.md');
    press('ArrowLeft');
    expect(tree.cursor.row?.label).toBe('Account');
  });

  it('moves to both ends and stays there', () => {
    press('End', 'ArrowDown');
    expect(tree.cursor.row?.label).toBe('Timeline Builder');
    press('Home', 'ArrowUp');
    expect(tree.cursor.row?.label).toBe('Account');
  });

  it('previews with Space and opens with Enter', () => {
    press('ArrowRight', ' ');
    expect(actions.open).toHaveBeenLastCalledWith(expect.anything(), 'SKILL.md', { preview: true, focus: false });
    press('Enter');
    expect(actions.open).toHaveBeenLastCalledWith(expect.anything(), 'SKILL.md', { preview: false, focus: true });
  });

  it('jumps to what is typed', () => {
    input.key('c', 0);
    expect(tree.cursor.row?.label).toBe('check-prompt.anthropic.j2');
    input.key('r', 100);
    expect(tree.cursor.row?.label).toBe('cross-reference.py');
    input.key('t', 5_000);
    expect(tree.cursor.row?.label).toBe('Timeline Builder');
    input.key('c', 9_000);
    input.key('c', 9_100);
    expect(tree.cursor.row?.label).toBe('check-prompt.anthropic.j2');
  });

  it('asks to rename and to delete', () => {
    press('ArrowRight', 'F2', 'Delete');
    expect(events.mayRename).toHaveBeenCalledOnce();
    expect(tree.rename.editing?.row.label).toBe('SKILL.md');
    expect(actions.remove).toHaveBeenCalledOnce();
  });

  it('closes and opens a folder', () => {
    press('ArrowRight', 'ArrowDown', 'ArrowLeft');
    expect(tree.cursor.row?.label).toBe('assets');
    expect(labels()).not.toContain('   diagram.png');
    press('ArrowRight');
    expect(labels()).toContain('   diagram.png');
  });
});

it('filters by name, slug and tag', () => {
  tree.model.filter.text = 'WORLDB';
  expect(labels()).toEqual(['Account', ' Consistency Checker']);
  tree.model.filter.text = 'nothing like it';
  expect(labels()).toEqual(['Account', ' No matching skills']);
});

it('offers to create the first skill of a workspace', async () => {
  b.core.find('link-auditor', 'workspace').deleted = true;
  b.client.workspace = '/home/ada/notes';
  await b.catalog.reload();
  tree.model.hasWorkspace = true;
  expect(labels()[1]).toBe(' No skills yet');
  const note = tree.model.rows[1];
  if (note) input.activate(note);
  expect(actions.create).toHaveBeenCalledWith('workspace');
});

it('reveals a file', async () => {
  const { summary } = b.core.find('timeline-builder');
  tree.reveal(summary, 'prompts/order.j2');
  await flushPromises();
  expect(tree.cursor.row).toMatchObject({ kind: 'file', label: 'order.j2' });
});

describe('selecting several rows', () => {
  beforeEach(async () => {
    const row = tree.model.rows[1];
    if (row) tree.model.toggle(row);
    await flushPromises();
    tree.cursor.id = tree.model.rows[2]?.id ?? null;
  });

  const targets = (): string[] => tree.selection.targets.map((row) => row.label);
  const row = (label: string) => {
    const found = tree.model.rows.find((one) => one.label === label);
    if (!found) throw new Error(`no ${label}`);
    return found;
  };

  it('selects a range with Shift and the arrows, and shrinks it on the way back', () => {
    input.key('ArrowDown', 0, { shift: true });
    input.key('ArrowDown', 0, { shift: true });
    expect(targets()).toEqual(['SKILL.md', 'assets']);
    expect([...tree.selection.ids]).toHaveLength(3);
    input.key('ArrowUp', 0, { shift: true });
    input.key('ArrowUp', 0, { shift: true });
    expect(targets()).toEqual(['SKILL.md']);
    input.key('ArrowDown', 0);
    expect(tree.selection.size).toBe(0);
  });

  it('selects a range with Shift and click, and single rows with Ctrl', () => {
    input.click(row('SKILL.md'));
    input.click(row('dspy-checker.json'), { shift: true });
    // The content of a selected folder is implied.
    expect(targets()).toEqual(['SKILL.md', 'assets', 'dspy']);
    input.click(row('check-prompt.j2'), { ctrl: true });
    expect(targets()).toEqual(['SKILL.md', 'assets', 'dspy', 'check-prompt.j2']);
    input.click(row('assets'), { ctrl: true });
    expect(targets()).toEqual(['SKILL.md', 'diagram.png', 'dspy', 'check-prompt.j2']);
    expect(actions.open).toHaveBeenCalledOnce();
  });

  it('includes the row at the cursor when another one is added', () => {
    input.click(row('check-prompt.j2'), { ctrl: true });
    expect(targets()).toEqual(['SKILL.md', 'check-prompt.j2']);
  });

  it('selects everything in a skill with Ctrl+A, or all skills of its scope', () => {
    input.key('a', 0, { ctrl: true });
    expect(tree.selection.size).toBe(tree.model.rows.filter((one) => one.level > 2).length);
    tree.cursor.id = row('Timeline Builder').id;
    input.key('a', 0, { ctrl: true });
    expect(targets()).toEqual(['Consistency Checker', 'Link Auditor', 'Timeline Builder']);
  });

  it('is cleared with Escape, and with the next one the cut rows', () => {
    input.key('ArrowDown', 0, { shift: true });
    tree.clipboard.cut();
    expect(tree.clipboard.isCut(row('SKILL.md'))).toBe(true);
    expect(input.key('Escape', 0)).toBe(true);
    expect(tree.selection.size).toBe(0);
    expect(input.key('Escape', 0)).toBe(true);
    expect(tree.clipboard.isEmpty).toBe(true);
    expect(input.key('Escape', 0)).toBe(false);
  });

  it('applies to a single row that is dragged or clicked outside the selection', () => {
    input.click(row('SKILL.md'));
    input.click(row('assets'), { shift: true });
    input.menu(row('Timeline Builder'), { x: 0, y: 0 });
    expect(targets()).toEqual(['Timeline Builder']);
    input.click(row('check-prompt.j2'));
    input.click(row('check-prompt.anthropic.j2'), { ctrl: true });
    tree.drag.press(row('Timeline Builder'), 0, 0);
    tree.drag.move(40, 40, false, () => null);
    expect(tree.drag.items?.map((one) => one.label)).toEqual(['Timeline Builder']);
    expect(tree.drag.drop()).toBe(true);
    expect(events.transfer).not.toHaveBeenCalled();
  });
});

describe('a drag', () => {
  it('expands the row that it rests on, and is canceled with Escape', async () => {
    const [, first, second] = tree.model.rows;
    if (!first || !second) throw new Error('no rows');
    tree.drag.press(second, 0, 0);
    tree.drag.move(30, 30, true, () => first);
    expect(tree.model.isOpen(first)).toBe(false);
    await vi.advanceTimersByTimeAsync(700);
    await flushPromises();
    expect(tree.model.isOpen(first)).toBe(true);
    expect(input.key('Escape', 0)).toBe(true);
    expect(tree.drag.active).toBe(false);
    expect(tree.drag.drop()).toBe(false);
  });

  it('doesn’t start below the threshold, so that it is a click', () => {
    const row = tree.model.rows[1];
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
    tree = new Tree(b.catalog, events);
    input = new TreeInput(tree, b.catalog.details, actions);
  });

  it('are loaded in pages, the first one small, and sorted by number', () => {
    const pages = b.core.callsOf('skill/tree').map((call) => call['limit']);
    expect(pages).toEqual([200, 2_000, 2_000, 2_000, 2_000, 2_000]);
    expect(tree.model.rows).toHaveLength(10_001);
    expect(tree.model.rows.slice(1, 4).map((row) => row.label)).toEqual(['Skill 0', 'Skill 1', 'Skill 2']);
    expect(tree.model.rows.at(-1)?.label).toBe('Skill 9999');
  });

  it('keep their rows when one of them expands or changes', async () => {
    const before = tree.model.rows;
    const [, first] = before;
    if (first) tree.model.toggle(first);
    await flushPromises();
    const after = tree.model.rows;
    expect(after).toHaveLength(10_002);
    expect(after.filter((row, at) => row !== before[at <= 1 ? at : at - 1])).toHaveLength(1);
    b.core.find('skill-5000').summary.enabled = false;
    b.core.emit('skill', [b.core.find('skill-5000').summary.id]);
    await vi.advanceTimersByTimeAsync(200);
    await flushPromises();
    const changed = tree.model.rows.filter((row, at) => row.kind === 'skill' && row !== after[at]);
    expect(changed.map((row) => row.label)).toEqual(['Skill 5000']);
    expect(b.core.callsOf('skill/tree').at(-1)).toMatchObject({ only: { scope: 'account', ids: [b.core.find('skill-5000').summary.id] } });
  });
});
