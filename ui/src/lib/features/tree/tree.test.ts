import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
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
  expect(labels()).toContain('  Reading…');
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
  expect(labels()).toEqual(['Account', ' No match']);
});

it('offers to make the first skill of a workspace', async () => {
  b.core.find('link-auditor', 'workspace').deleted = true;
  b.client.workspace = '/home/ada/notes';
  await b.catalog.reload();
  tree.hasWorkspace = true;
  expect(labels()[1]).toBe(' No skills yet: create one');
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
