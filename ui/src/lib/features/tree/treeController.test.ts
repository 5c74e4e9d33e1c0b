import { beforeEach, describe, expect, it } from 'vitest';
import { FakeCore, fail, WORKSPACE } from '../../../../tests/fake/core';
import { fakeTimers, settle } from '../../../../tests/support';
import type { ThingRow } from '$lib/features/tree';
import { isThing } from '$lib/features/tree/rows';
import { StringBuffer } from '$lib/features/editor/buffer';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let core: FakeCore;
let app: Services;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await app.treeActions.watchDesktop(() => false);
  await app.workspace.open(WORKSPACE);
  await settle();
});

const toasts = (): string[] => app.toasts.list.map((toast) => toast.message);
const paths = (slug: string, scope: 'account' | 'workspace' = 'account'): string[] => [...core.find(slug, scope).files.keys()].sort();
const undo = async (): Promise<void> => {
  await app.actions.journal.undo();
  await settle();
};
const redo = async (): Promise<void> => {
  await app.actions.journal.redo();
  await settle();
};

async function row(slug: string, path?: string, scope: 'account' | 'workspace' = 'account'): Promise<ThingRow> {
  app.tree.reveal(core.find(slug, scope).summary, path);
  await settle();
  const found = app.tree.current ?? app.tree.rows.find((one) => one.kind === 'folder' && one.path === path);
  if (!found || !isThing(found)) throw new Error(`no row for ${slug} ${path ?? ''}`);
  return found;
}

async function folder(slug: string, path: string): Promise<ThingRow> {
  await row(slug, 'SKILL.md');
  const found = app.tree.rows.find((one) => one.kind === 'folder' && one.path === path && one.skill.slug === slug && one.skill.scope === 'account');
  if (!found || !isThing(found)) throw new Error(`no folder ${path}`);
  app.tree.cursor = found.id;
  return found;
}

describe('renaming in the tree', () => {
  it('gives a file another name, keeps its tab, and goes back', async () => {
    app.files.open(core.find('link-auditor').summary, 'scripts/audit.sh');
    await row('link-auditor', 'scripts/audit.sh');
    app.tree.key('F2', 0);
    await app.tree.endRename('check.sh');
    await settle();
    expect(paths('link-auditor')).toContain('scripts/check.sh');
    expect(app.tabs.document?.path).toBe('scripts/check.sh');
    expect(app.tree.current?.label).toBe('check.sh');
    await undo();
    expect(paths('link-auditor')).toContain('scripts/audit.sh');
    expect(app.tabs.document?.path).toBe('scripts/audit.sh');
    await redo();
    expect(app.tabs.document?.path).toBe('scripts/check.sh');
  });

  it('gives a skill another title', async () => {
    await row('link-auditor');
    app.tree.startRename();
    await app.tree.endRename('Link Checker');
    await settle();
    expect(app.catalog.summary(core.find('link-auditor').summary)?.name).toBe('Link Checker');
    expect(app.tree.rows.filter((one) => one.kind === 'skill').map((one) => one.label)).toContain('Link Checker');
  });

  it('keeps what was typed on screen when the core refuses it', async () => {
    await row('link-auditor');
    app.tree.startRename();
    await app.tree.endRename('timeline builder');
    expect(app.tree.editing?.problem).toBe('There is a skill titled timeline builder already. Choose another title.');
    app.tree.cancelRename();
    expect(app.tree.editing).toBeNull();
    expect(app.actions.journal.undoLabel).toBeNull();
  });

  it('says the path of a file in the case that it has', async () => {
    await row('link-auditor', 'references/rules.yaml');
    core.failing.set('file/move', fail('exists', 'there is already a file scripts/audit.sh', { hint: 'choose another name' }));
    app.tree.startRename();
    await app.tree.endRename('audit.sh');
    expect(app.tree.editing?.problem).toBe('There is already a file scripts/audit.sh. Choose another name.');
  });

  it('isn’t for locked skills or for what makes a folder a skill', async () => {
    await row('consistency-checker', 'prompts/check-prompt.j2');
    app.tree.startRename();
    expect(toasts()).toEqual(['Consistency Checker is locked']);
    await row('link-auditor', 'SKILL.md');
    app.tree.startRename();
    expect(toasts().at(-1)).toContain('can’t be renamed');
    expect(app.tree.editing).toBeNull();
  });
});

describe('moving', () => {
  it('goes into a folder of the same skill and back, with what was written since', async () => {
    const moved = await row('link-auditor', 'references/rules.yaml');
    const target = core.find('link-auditor').summary;
    app.tree.drag.press(moved, 0, 0);
    const over = await folder('link-auditor', 'scripts');
    app.tree.drag.move(2, 2, false, () => over);
    expect(app.tree.drag.things).toBeNull();
    app.tree.drag.move(20, 20, false, () => over);
    expect(app.tree.drag.covers(over)).toBe(true);
    expect(app.tree.drag.drop()).toBe(true);
    await settle();
    expect(paths('link-auditor')).toEqual(['SKILL.md', 'scripts/audit.sh', 'scripts/rules.yaml']);
    core.writeElsewhere('link-auditor', 'scripts/rules.yaml', 'rules: []\n');
    await settle();
    await undo();
    expect(paths('link-auditor')).toEqual(['SKILL.md', 'references/rules.yaml', 'scripts/audit.sh']);
    expect(core.find('link-auditor').files.get('references/rules.yaml')?.text).toBe('rules: []\n');
    expect(target.slug).toBe('link-auditor');
  });

  it('refuses what makes no sense before anything is asked', async () => {
    const main = await row('link-auditor', 'SKILL.md');
    const scripts = await folder('link-auditor', 'scripts');
    const locked = await row('consistency-checker');
    const section = app.tree.rows[0];
    const { drag } = app.tree;
    const refused = (from: ThingRow, to: typeof section, copy = false): string | null => {
      drag.press(from, 0, 0);
      drag.move(50, 50, copy, () => to ?? null);
      const why = drag.goal ? drag.refused : 'no goal';
      drag.cancel();
      return why;
    };
    expect(refused(main, scripts)).toBe('SKILL.md can’t be moved');
    expect(refused(scripts, scripts)).toBe('A folder can’t be moved into itself');
    expect(refused(scripts, locked)).toBe('Consistency Checker is locked');
    expect(refused(scripts, main)).toBe('Already here');
    expect(refused(scripts, section)).toBe('no goal');
    expect(refused(locked, section)).toBe('A locked skill can only be copied');
    expect(refused(locked, section, true)).toBeNull();
    expect(core.callsOf('file/move')).toEqual([]);
  });

  it('takes files to another skill and back from both', async () => {
    const from = await row('link-auditor', 'references/rules.yaml');
    const to = await row('timeline-builder');
    await app.actions.structure.bring([{ kind: 'file', skill: from.skill, path: 'references/rules.yaml' }], { kind: 'folder', skill: to.skill, folder: '' }, false);
    await settle();
    expect(paths('timeline-builder')).toContain('rules.yaml');
    expect(paths('link-auditor')).not.toContain('references/rules.yaml');
    expect(app.actions.journal.undoLabel).toBe('move rules.yaml');
    await undo();
    expect(paths('timeline-builder')).not.toContain('rules.yaml');
    expect(paths('link-auditor')).toContain('references/rules.yaml');
    await redo();
    expect(paths('timeline-builder')).toContain('rules.yaml');
  });

  it('asks about files that are there already, once for all', async () => {
    core.find('timeline-builder').files.set('rules.yaml', { text: 'theirs' });
    const from = await row('link-auditor', 'references/rules.yaml');
    const to = await row('timeline-builder');
    const bring = (): Promise<void> => app.actions.structure.bring([{ kind: 'file', skill: from.skill, path: 'references/rules.yaml' }], { kind: 'folder', skill: to.skill, folder: '' }, true);
    await bring();
    const { dialog } = app.actions;
    expect(dialog).toMatchObject({ kind: 'clash', paths: ['rules.yaml'] });
    expect(toasts()).toEqual([]);
    if (dialog?.kind === 'clash') await dialog.choose('both');
    expect(paths('timeline-builder')).toEqual(['SKILL.md', 'prompts/order.j2', 'rules-copy.yaml', 'rules.yaml']);
  });

  it('says when the files arrived but couldn’t leave', async () => {
    const from = await row('link-auditor', 'references/rules.yaml');
    const to = await row('timeline-builder');
    const arrived = { ...core.tree.copy({ skill: from.skill.id, files: [], to_skill: to.skill.id }), files: [{ from: 'references/rules.yaml', to: 'rules.yaml' }], left: { message: 'the disk is full', hint: null } };
    core.tree.copy = () => arrived;
    await app.actions.structure.bring([{ kind: 'file', skill: from.skill, path: 'references/rules.yaml' }], { kind: 'folder', skill: to.skill, folder: '' }, false);
    expect(toasts()).toContain('Copied the files to Timeline Builder, but couldn’t remove them from Link Auditor: the disk is full');
  });

  it('takes a skill to the other scope and back', async () => {
    const skill = await row('timeline-builder');
    app.treeActions.bring([skill], { kind: 'scope', scope: 'workspace' }, false);
    await settle();
    expect(app.catalog.skills.filter((one) => one.slug === 'timeline-builder').map((one) => one.scope)).toEqual(['workspace']);
    expect(app.tabs.document?.scope).toBe('workspace');
    await undo();
    expect(app.catalog.skills.filter((one) => one.slug === 'timeline-builder').map((one) => one.scope)).toEqual(['account']);
    await redo();
    expect(app.catalog.skills.filter((one) => one.slug === 'timeline-builder').map((one) => one.scope)).toEqual(['workspace']);
  });
});

describe('cut, copy and paste', () => {
  it('move a file where the cursor is', async () => {
    await row('link-auditor', 'references/rules.yaml');
    app.tree.take(true);
    expect(app.tree.current && app.tree.isCut(app.tree.current)).toBe(true);
    await row('timeline-builder', 'prompts/order.j2');
    app.tree.paste();
    await settle();
    expect(paths('timeline-builder')).toContain('prompts/rules.yaml');
    expect(app.tree.clipboard).toBeNull();
  });

  it('copy beside itself without a question', async () => {
    await row('link-auditor', 'scripts/audit.sh');
    app.tree.take(false);
    app.tree.paste();
    await settle();
    expect(paths('link-auditor')).toEqual(['SKILL.md', 'references/rules.yaml', 'scripts/audit-copy.sh', 'scripts/audit.sh']);
    await folder('link-auditor', 'scripts');
    app.treeActions.duplicate(app.treeActions.chosen);
    await settle();
    expect(paths('link-auditor').filter((path) => path.startsWith('scripts-copy/'))).toEqual(['scripts-copy/audit-copy.sh', 'scripts-copy/audit.sh']);
  });
});

describe('deleting', () => {
  it('takes several files and skills at once, and brings all back with one Undo', async () => {
    const file = await row('link-auditor', 'references/rules.yaml');
    const skill = await row('timeline-builder');
    app.tree.selection.set([file, skill]);
    app.tree.key('Delete', 0);
    await settle();
    expect(paths('link-auditor')).not.toContain('references/rules.yaml');
    expect(() => core.find('timeline-builder')).toThrow();
    expect(toasts()).toEqual(['Deleted 2 items']);
    await undo();
    expect(paths('link-auditor')).toContain('references/rules.yaml');
    expect(core.find('timeline-builder').deleted).toBe(false);
    expect(app.actions.journal.redoLabel).toBe('delete 2 items');
    await redo();
    expect(paths('link-auditor')).not.toContain('references/rules.yaml');
  });

  it('brings unsaved text back too', async () => {
    app.files.open(core.find('link-auditor').summary, 'references/rules.yaml');
    await settle();
    app.tabs.document?.attach(new StringBuffer('typed, not saved'));
    app.tabs.document?.edited();
    const file = await row('link-auditor', 'references/rules.yaml');
    app.treeActions.remove([file]);
    await settle();
    core.drafts.clear();
    await undo();
    expect([...core.drafts.values()].map((draft) => draft.text)).toEqual(['typed, not saved']);
  });

  it('keeps what worked when a part of it didn’t', async () => {
    const file = await row('link-auditor', 'references/rules.yaml');
    const skill = await row('timeline-builder');
    core.failing.set('skill/delete', fail('hasDependents', 'other skills depend on it'));
    app.treeActions.remove([file, skill]);
    await settle();
    expect(app.toasts.list.map((toast) => [toast.message, toast.hint])).toEqual([
      ['Deleted 2 items', '1 of 2 failed.'],
      ['Couldn’t delete 2 items: other skills depend on it', null],
    ]);
    await undo();
    expect(paths('link-auditor')).toContain('references/rules.yaml');
  });

  it('says plainly when it can’t be taken back, and doesn’t stand in the way of the step before', async () => {
    app.treeActions.remove([await row('timeline-builder', 'prompts/order.j2')]);
    await settle();
    app.treeActions.remove([await row('link-auditor', 'references/rules.yaml')]);
    await settle();
    core.writeElsewhere('link-auditor', 'references/rules.yaml', 'someone else’s');
    await undo();
    expect(toasts().at(-1)).toBe('Couldn’t undo “delete rules.yaml”: references/rules.yaml was changed since');
    expect(core.find('link-auditor').files.get('references/rules.yaml')?.text).toBe('someone else’s');
    await undo();
    expect(paths('timeline-builder')).toContain('prompts/order.j2');
  });

  it('puts the cursor on what comes after', async () => {
    await row('link-auditor', 'references/rules.yaml');
    app.tree.key('Delete', 0);
    expect(app.tree.current?.label).toBe('scripts');
  });
});

describe('undo and redo', () => {
  it('are the tree’s only while the keyboard is there', async () => {
    app.treeActions.remove([await row('link-auditor', 'references/rules.yaml')]);
    await settle();
    const press = (key: string, more = {}): boolean => app.commands.press({ key, code: `Key${key.toUpperCase()}`, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false, ...more });
    expect(press('z')).toBe(false);
    app.tree.focused = true;
    expect(app.commands.get('tree.undo')?.title).toBe('Undo delete rules.yaml');
    expect(press('z')).toBe(true);
    await settle();
    expect(paths('link-auditor')).toContain('references/rules.yaml');
    expect(app.commands.get('tree.redo')?.title).toBe('Redo delete rules.yaml');
    expect(press('Z', { shiftKey: true })).toBe(true);
    await settle();
    expect(paths('link-auditor')).not.toContain('references/rules.yaml');
  });

  it('forget the other workspace’s steps', async () => {
    app.treeActions.remove([await row('link-auditor', 'references/rules.yaml')]);
    await settle();
    await app.workspace.close();
    await settle();
    expect(app.actions.journal.undoLabel).toBeNull();
  });
});

describe('from the desktop', () => {
  const drop = (...dropped: string[]): Promise<void> => app.treeActions.dropped(dropped, null);

  it('files come into the folder that they are dropped on', async () => {
    core.tree.disk.set('/home/ada/table.csv', 'file').set('/home/ada/pictures', 'folder');
    await row('link-auditor', 'references/rules.yaml');
    const target = app.tree.current;
    app.tree.rowAt = () => target;
    core.dropDesktop({ kind: 'over', x: 5, y: 5 });
    expect(app.tree.drag.outside).toBe(true);
    core.dropDesktop({ kind: 'drop', x: 5, y: 5, paths: ['/home/ada/table.csv', '/home/ada/pictures'] });
    await settle();
    expect(app.tree.drag.active).toBe(false);
    expect(paths('link-auditor')).toContain('references/table.csv');
    await undo();
    expect(paths('link-auditor')).not.toContain('references/table.csv');
  });

  it('skills are looked at before they are imported, wherever they are dropped', async () => {
    core.tree.disk.set('/home/ada/skills', 'skills');
    await drop('/home/ada/skills');
    await settle();
    expect(app.importer.paths).toEqual(['/home/ada/skills']);
    expect(core.callsOf('skill/import')).toEqual([{ paths: ['/home/ada/skills'], scope: 'workspace', dry_run: true }]);
  });

  it('packages are skills, unless they are dropped among the files of one', async () => {
    core.tree.disk.set('/home/ada/desk.skill', 'file');
    await drop('/home/ada/desk.skill');
    await settle();
    expect(app.importer.paths).toEqual(['/home/ada/desk.skill']);
    expect(toasts()).toEqual([]);
  });

  it('says where a file belongs that was dropped nowhere, and what can’t be read', async () => {
    core.tree.disk.set('/home/ada/a.txt', 'file');
    await drop('/home/ada/a.txt', '/gone');
    expect(toasts()).toEqual(['Couldn’t add /gone: it can’t be read', 'This isn’t a skill']);
  });
});

it('reads what is open when another folder is, and what comes back', async () => {
  const { summary } = core.find('timeline-builder');
  await row('timeline-builder');
  app.tree.toggle(await row('timeline-builder'), true);
  await settle();
  const labels = (): string[] => app.tree.rows.filter((one) => one.kind !== 'section' && one.skill?.id === summary.id).map((one) => one.label);
  expect(labels()).toContain('SKILL.md');
  await app.workspace.close();
  await settle();
  expect(labels()).toContain('Loading…');
  app.tree.readOpen();
  await settle();
  expect(labels()).toContain('SKILL.md');
});

it('takes no skill of the folder before', async () => {
  const { summary } = core.find('timeline-builder');
  core.hold('skill/get');
  const late = app.catalog.load(summary, true);
  await app.workspace.close();
  core.release('skill/get');
  expect(await late).toBeNull();
  await settle();
  expect(app.catalog.detail(summary)).toBeUndefined();
});
