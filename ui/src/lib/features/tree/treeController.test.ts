import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore, fail, WORKSPACE } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import type { ItemRow } from '$lib/features/tree';
import { isDropTarget } from '$lib/features/tree/drag.svelte';
import { isItem } from '$lib/features/tree/rows';
import { StringBuffer } from '$lib/features/editor/document/buffer';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let core: FakeCore;
let app: Services;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await app.desktopDrop.watch(() => false);
  await app.workspace.open(WORKSPACE);
  await flushPromises();
});

const toasts = (): string[] => app.toasts.list.map((toast) => toast.message);
const paths = (slug: string, scope: 'account' | 'workspace' = 'account'): string[] => [...core.find(slug, scope).files.keys()].sort();
const undo = async (): Promise<void> => {
  await app.actions.undoStack.undo();
  await flushPromises();
};
const redo = async (): Promise<void> => {
  await app.actions.undoStack.redo();
  await flushPromises();
};

async function row(slug: string, path?: string, scope: 'account' | 'workspace' = 'account'): Promise<ItemRow> {
  app.tree.reveal(core.find(slug, scope).summary, path);
  await flushPromises();
  const found = app.tree.cursor.row ?? app.tree.model.rows.find((one) => one.kind === 'folder' && one.path === path);
  if (!found || !isItem(found)) throw new Error(`no row for ${slug} ${path ?? ''}`);
  return found;
}

async function folder(slug: string, path: string): Promise<ItemRow> {
  await row(slug, 'SKILL.md');
  const found = app.tree.model.rows.find((one) => one.kind === 'folder' && one.path === path && one.skill.slug === slug && one.skill.scope === 'account');
  if (!found || !isItem(found)) throw new Error(`no folder ${path}`);
  app.tree.cursor.id = found.id;
  return found;
}

describe('renaming in the tree', () => {
  it('renames a file, keeps its tab, and can be undone', async () => {
    app.files.open(core.find('link-auditor').summary, 'scripts/audit.sh');
    await row('link-auditor', 'scripts/audit.sh');
    app.treeInput.key('F2', 0);
    await app.tree.rename.commit('check.sh');
    await flushPromises();
    expect(paths('link-auditor')).toContain('scripts/check.sh');
    expect(app.tabs.document?.file.path).toBe('scripts/check.sh');
    expect(app.tree.cursor.row?.label).toBe('check.sh');
    await undo();
    expect(paths('link-auditor')).toContain('scripts/audit.sh');
    expect(app.tabs.document?.file.path).toBe('scripts/audit.sh');
    await redo();
    expect(app.tabs.document?.file.path).toBe('scripts/check.sh');
  });

  it('renames a skill', async () => {
    await row('link-auditor');
    app.tree.rename.start(app.tree.cursor.row);
    await app.tree.rename.commit('Link Checker');
    await flushPromises();
    expect(app.catalog.summary(core.find('link-auditor').summary)?.name).toBe('Link Checker');
    expect(app.tree.model.rows.filter((one) => one.kind === 'skill').map((one) => one.label)).toContain('Link Checker');
  });

  it('keeps the typed name when the core rejects it', async () => {
    await row('link-auditor');
    app.tree.rename.start(app.tree.cursor.row);
    await app.tree.rename.commit('timeline builder');
    expect(app.tree.rename.editing?.problem).toBe('There is a skill titled timeline builder already. Choose another title.');
    app.tree.rename.cancel();
    expect(app.tree.rename.editing).toBeNull();
    expect(app.actions.undoStack.undoLabel).toBeNull();
  });

  it('keeps the case of a path in a message', async () => {
    await row('link-auditor', 'references/rules.yaml');
    core.failing.set('file/move', fail('exists', 'there is already a file scripts/audit.sh', { hint: 'choose another name' }));
    app.tree.rename.start(app.tree.cursor.row);
    await app.tree.rename.commit('audit.sh');
    expect(app.tree.rename.editing?.problem).toBe('There is already a file scripts/audit.sh. Choose another name.');
  });

  it('isn’t possible for locked skills, SKILL.md and skill.json', async () => {
    await row('consistency-checker', 'prompts/check-prompt.j2');
    app.tree.rename.start(app.tree.cursor.row);
    expect(toasts()).toEqual(['Consistency Checker is locked']);
    await row('link-auditor', 'SKILL.md');
    app.tree.rename.start(app.tree.cursor.row);
    expect(toasts().at(-1)).toContain('can’t be renamed');
    expect(app.tree.rename.editing).toBeNull();
  });
});

describe('moving', () => {
  it('moves a file to a folder of the same skill, and undo keeps later changes', async () => {
    const moved = await row('link-auditor', 'references/rules.yaml');
    const target = core.find('link-auditor').summary;
    app.tree.drag.press(moved, 0, 0);
    const over = await folder('link-auditor', 'scripts');
    app.tree.drag.move(2, 2, false, () => over);
    expect(app.tree.drag.items).toBeNull();
    app.tree.drag.move(20, 20, false, () => over);
    expect(isDropTarget(app.tree.drag, over)).toBe(true);
    expect(app.tree.drag.drop()).toBe(true);
    await flushPromises();
    expect(paths('link-auditor')).toEqual(['SKILL.md', 'scripts/audit.sh', 'scripts/rules.yaml']);
    core.writeElsewhere('link-auditor', 'scripts/rules.yaml', 'rules: []\n');
    await flushPromises();
    await undo();
    expect(paths('link-auditor')).toEqual(['SKILL.md', 'references/rules.yaml', 'scripts/audit.sh']);
    expect(core.find('link-auditor').files.get('references/rules.yaml')?.text).toBe('rules: []\n');
    expect(target.slug).toBe('link-auditor');
  });

  it('rejects invalid targets without a call', async () => {
    const main = await row('link-auditor', 'SKILL.md');
    const scripts = await folder('link-auditor', 'scripts');
    const locked = await row('consistency-checker');
    const section = app.tree.model.rows[0];
    const { drag } = app.tree;
    const refused = (from: ItemRow, to: typeof section, copy = false): string | null => {
      drag.press(from, 0, 0);
      drag.move(50, 50, copy, () => to ?? null);
      const why = drag.target ? drag.rejection : 'no target';
      drag.cancel();
      return why;
    };
    expect(refused(main, scripts)).toBe('SKILL.md can’t be moved');
    expect(refused(scripts, scripts)).toBe('A folder can’t be moved into itself');
    expect(refused(scripts, locked)).toBe('Consistency Checker is locked');
    expect(refused(scripts, main)).toBe('Already here');
    expect(refused(scripts, section)).toBe('no target');
    expect(refused(locked, section)).toBe('A locked skill can only be copied');
    expect(refused(locked, section, true)).toBeNull();
    expect(core.callsOf('file/move')).toEqual([]);
  });

  it('moves files to another skill, with undo in both', async () => {
    const from = await row('link-auditor', 'references/rules.yaml');
    const to = await row('timeline-builder');
    await app.actions.structure.transfer([{ kind: 'file', skill: from.skill, path: 'references/rules.yaml' }], { kind: 'folder', skill: to.skill, folder: '' }, false);
    await flushPromises();
    expect(paths('timeline-builder')).toContain('rules.yaml');
    expect(paths('link-auditor')).not.toContain('references/rules.yaml');
    expect(app.actions.undoStack.undoLabel).toBe('move rules.yaml');
    await undo();
    expect(paths('timeline-builder')).not.toContain('rules.yaml');
    expect(paths('link-auditor')).toContain('references/rules.yaml');
    await redo();
    expect(paths('timeline-builder')).toContain('rules.yaml');
  });

  it('unsaved text follows files that are moved to another skill, also with undo and redo', async () => {
    const from = await row('link-auditor', 'references/rules.yaml');
    const to = await row('timeline-builder');
    app.files.open(from.skill, 'references/rules.yaml');
    await flushPromises();
    app.tabs.document?.content.attach(new StringBuffer('typed: true'));
    app.tabs.document?.content.edited();
    await app.actions.structure.transfer([{ kind: 'file', skill: from.skill, path: 'references/rules.yaml' }], { kind: 'folder', skill: to.skill, folder: '' }, false);
    await flushPromises();
    const drafts = (): string[] => [...core.drafts.values()].map(({ skill_id: id, path, text }) => `${id === from.skill.id ? 'from' : 'to'} ${path} ${text}`);
    expect(drafts()).toEqual(['to rules.yaml typed: true']);
    app.files.open(to.skill, 'rules.yaml');
    await flushPromises();
    app.tabs.document?.content.attach(new StringBuffer('typed: more'));
    app.tabs.document?.content.edited();
    await undo();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(drafts()).toEqual(['from references/rules.yaml typed: more']);
    await redo();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(drafts()).toEqual(['to rules.yaml typed: more']);
  });

  it('asks about existing files, once for all', async () => {
    core.find('timeline-builder').files.set('rules.yaml', { text: 'theirs' });
    const from = await row('link-auditor', 'references/rules.yaml');
    const to = await row('timeline-builder');
    const bring = (): Promise<void> => app.actions.structure.transfer([{ kind: 'file', skill: from.skill, path: 'references/rules.yaml' }], { kind: 'folder', skill: to.skill, folder: '' }, true);
    await bring();
    const { dialog } = app.actions;
    expect(dialog).toMatchObject({ kind: 'existingFiles', paths: ['rules.yaml'] });
    expect(toasts()).toEqual([]);
    if (dialog?.kind === 'existingFiles') await dialog.choose('both');
    expect(paths('timeline-builder')).toEqual(['SKILL.md', 'prompts/order.j2', 'rules-copy.yaml', 'rules.yaml']);
  });

  it('reports files that were copied but couldn’t be removed', async () => {
    const from = await row('link-auditor', 'references/rules.yaml');
    const to = await row('timeline-builder');
    const arrived = { ...core.tree.copy({ skill: from.skill.id, files: [], to_skill: to.skill.id }), files: [{ from: 'references/rules.yaml', to: 'rules.yaml' }], failure: { code: 'io' as const, message: 'the disk is full', hint: null } };
    core.tree.copy = () => arrived;
    await app.actions.structure.transfer([{ kind: 'file', skill: from.skill, path: 'references/rules.yaml' }], { kind: 'folder', skill: to.skill, folder: '' }, false);
    expect(toasts()).toContain('Copied the files to Timeline Builder, but couldn’t remove them from Link Auditor: the disk is full');
  });

  it('says which folder a moved skill was linked to', async () => {
    const { skill } = await row('timeline-builder');
    const moved = { ...core.tree.move({ skill: skill.id, scope: skill.scope, to: 'workspace' }), unlinked: '/home/ann/timeline' };
    core.tree.move = () => moved;
    await app.actions.structure.transfer([{ kind: 'skill', skill }], { kind: 'scope', scope: 'workspace' }, false);
    expect(app.toasts.list).toContainEqual(expect.objectContaining({ message: 'Timeline Builder is no longer linked to /home/ann/timeline', hint: 'The files there stay.' }));
  });

  it('moves a skill to the other scope, with undo', async () => {
    const skill = await row('timeline-builder');
    app.treeActions.transfer([skill], { kind: 'scope', scope: 'workspace' }, false);
    await flushPromises();
    expect(app.catalog.skills.filter((one) => one.slug === 'timeline-builder').map((one) => one.scope)).toEqual(['workspace']);
    expect(app.tabs.document?.file.skill.scope).toBe('workspace');
    await undo();
    expect(app.catalog.skills.filter((one) => one.slug === 'timeline-builder').map((one) => one.scope)).toEqual(['account']);
    await redo();
    expect(app.catalog.skills.filter((one) => one.slug === 'timeline-builder').map((one) => one.scope)).toEqual(['workspace']);
  });
});

describe('cut, copy and paste', () => {
  it('move a file to the folder of the cursor', async () => {
    await row('link-auditor', 'references/rules.yaml');
    app.tree.clipboard.cut();
    expect(app.tree.cursor.row && app.tree.clipboard.isCut(app.tree.cursor.row)).toBe(true);
    await row('timeline-builder', 'prompts/order.j2');
    app.tree.clipboard.paste();
    await flushPromises();
    expect(paths('timeline-builder')).toContain('prompts/rules.yaml');
    expect(app.tree.clipboard.isEmpty).toBe(true);
  });

  it('copy a file next to itself without a question', async () => {
    await row('link-auditor', 'scripts/audit.sh');
    app.tree.clipboard.copy();
    app.tree.clipboard.paste();
    await flushPromises();
    expect(paths('link-auditor')).toEqual(['SKILL.md', 'references/rules.yaml', 'scripts/audit-copy.sh', 'scripts/audit.sh']);
    await folder('link-auditor', 'scripts');
    app.treeActions.duplicate(app.tree.selection.targets);
    await flushPromises();
    expect(paths('link-auditor').filter((path) => path.startsWith('scripts-copy/'))).toEqual(['scripts-copy/audit-copy.sh', 'scripts-copy/audit.sh']);
  });
});

describe('deleting', () => {
  it('deletes several files and skills at once, and restores all with one undo', async () => {
    const file = await row('link-auditor', 'references/rules.yaml');
    const skill = await row('timeline-builder');
    app.tree.selection.set([file, skill]);
    app.treeInput.key('Delete', 0);
    await flushPromises();
    expect(paths('link-auditor')).not.toContain('references/rules.yaml');
    expect(() => core.find('timeline-builder')).toThrow();
    expect(toasts()).toEqual(['Deleted 2 items']);
    await undo();
    expect(paths('link-auditor')).toContain('references/rules.yaml');
    expect(core.find('timeline-builder').deleted).toBe(false);
    expect(app.actions.undoStack.redoLabel).toBe('delete 2 items');
    await redo();
    expect(paths('link-auditor')).not.toContain('references/rules.yaml');
  });

  it('restores the others when one can’t be restored, and none that somebody else restored', async () => {
    const [one, two] = [await row('link-auditor'), await row('timeline-builder')];
    const restored = core.find('timeline-builder');
    app.tree.selection.set([one, two]);
    app.treeInput.key('Delete', 0);
    await flushPromises();
    restored.deleted = false;
    core.emit('skill', [two.skill.id]);
    await flushPromises();
    await vi.advanceTimersByTimeAsync(200);
    await undo();
    expect(core.callsOf('skill/restore').map((call) => call['id'])).toEqual([one.skill.id]);
    await redo();
    core.failing.set('skill/restore', fail('notFound', 'it was pruned'));
    await undo();
    expect(toasts().at(-1)).toBe('Couldn’t undo “delete 2 skills”: 2 of 2 failed: it was pruned');
  });

  it('keeps unsaved text for when it is undone', async () => {
    app.files.open(core.find('link-auditor').summary, 'references/rules.yaml');
    await flushPromises();
    app.tabs.document?.content.attach(new StringBuffer('typed, not saved'));
    app.tabs.document?.content.edited();
    const file = await row('link-auditor', 'references/rules.yaml');
    app.treeActions.remove([file]);
    await flushPromises();
    expect(app.tabs.document).toBeNull();
    await undo();
    expect([...core.drafts.values()].map((draft) => draft.text)).toEqual(['typed, not saved']);
    app.files.open(core.find('link-auditor').summary, 'references/rules.yaml');
    await flushPromises();
    expect(app.tabs.document).toMatchObject({ content: { dirty: true }, conflict: { external: null } });
    expect(app.tabs.document?.content.text()).toBe('typed, not saved');
  });

  it('keeps the finished part when another one fails', async () => {
    const file = await row('link-auditor', 'references/rules.yaml');
    const skill = await row('timeline-builder');
    core.failing.set('skill/delete', fail('hasDependents', 'other skills depend on it'));
    app.treeActions.remove([file, skill]);
    await flushPromises();
    expect(app.toasts.list.map((toast) => [toast.message, toast.hint])).toEqual([
      ['Deleted 2 items', '1 of 2 failed.'],
      ['Couldn’t delete 2 items: other skills depend on it', null],
    ]);
    await undo();
    expect(paths('link-auditor')).toContain('references/rules.yaml');
  });

  it('reports when it can’t be undone, and then undoes the step before', async () => {
    app.treeActions.remove([await row('timeline-builder', 'prompts/order.j2')]);
    await flushPromises();
    app.treeActions.remove([await row('link-auditor', 'references/rules.yaml')]);
    await flushPromises();
    core.writeElsewhere('link-auditor', 'references/rules.yaml', 'someone else’s');
    await undo();
    expect(toasts().at(-1)).toBe('Couldn’t undo “delete rules.yaml”: references/rules.yaml was changed by a later revision');
    expect(core.find('link-auditor').files.get('references/rules.yaml')?.text).toBe('someone else’s');
    await undo();
    expect(paths('timeline-builder')).toContain('prompts/order.j2');
  });

  it('moves the cursor to the next row', async () => {
    await row('link-auditor', 'references/rules.yaml');
    app.treeInput.key('Delete', 0);
    expect(app.tree.cursor.row?.label).toBe('scripts');
  });
});

describe('commands on skills', () => {
  const open = async (): Promise<void> => {
    app.files.open(core.find('timeline-builder').summary, 'SKILL.md');
    await row('link-auditor');
  };

  it('act on the skill of the tree if the palette was opened from it', async () => {
    await open();
    app.treeInput.focused = true;
    app.palette.showQuickOpen();
    app.palette.showCommands();
    // The palette takes the focus.
    app.treeInput.focused = false;
    expect(app.commands.available().find(({ id }) => id === 'skill.delete')?.title).toBe('Delete skill: Link Auditor');
    app.palette.run('skill.delete');
    await flushPromises();
    expect([core.find('timeline-builder').deleted, toasts().at(-1)]).toEqual([false, 'Deleted Link Auditor']);
  });

  it('act on the skill of the editor otherwise', async () => {
    await open();
    app.treeInput.focused = true;
    app.palette.showCommands();
    app.overlays.close();
    app.treeInput.focused = false;
    app.palette.showCommands();
    app.palette.run('skill.disable');
    await flushPromises();
    expect(core.callsOf('skill/enable')).toEqual([expect.objectContaining({ skill: core.find('timeline-builder').summary.id, enabled: false })]);
    expect(app.context.selected.skill?.slug).toBe('timeline-builder');
  });
});

describe('undo and redo', () => {
  it('apply to the tree only while it has the focus', async () => {
    app.treeActions.remove([await row('link-auditor', 'references/rules.yaml')]);
    await flushPromises();
    const press = (key: string, more = {}): boolean => app.commands.press({ key, code: `Key${key.toUpperCase()}`, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false, ...more });
    expect(press('z')).toBe(false);
    app.treeInput.focused = true;
    expect(app.commands.get('tree.undo')?.title).toBe('Undo delete rules.yaml');
    expect(press('z')).toBe(true);
    await flushPromises();
    expect(paths('link-auditor')).toContain('references/rules.yaml');
    expect(app.commands.get('tree.redo')?.title).toBe('Redo delete rules.yaml');
    expect(press('Z', { shiftKey: true })).toBe(true);
    await flushPromises();
    expect(paths('link-auditor')).not.toContain('references/rules.yaml');
  });

  it('forget the steps of another workspace', async () => {
    app.treeActions.remove([await row('link-auditor', 'references/rules.yaml')]);
    await flushPromises();
    await app.workspace.close();
    await flushPromises();
    expect(app.actions.undoStack.undoLabel).toBeNull();
  });
});

describe('from the desktop', () => {
  const drop = (...dropped: string[]): Promise<void> => app.desktopDrop.add(dropped, null);

  it('adds files to the folder that they are dropped on', async () => {
    core.tree.disk.set('/home/ada/table.csv', 'file').set('/home/ada/pictures', 'folder');
    await row('link-auditor', 'references/rules.yaml');
    const target = app.tree.cursor.row;
    app.tree.rowAt = () => target;
    core.dropDesktop({ kind: 'over', x: 5, y: 5 });
    expect(app.tree.drag.active).toBe(true);
    core.dropDesktop({ kind: 'drop', x: 5, y: 5, paths: ['/home/ada/table.csv', '/home/ada/pictures'] });
    await flushPromises();
    expect(app.tree.drag.active).toBe(false);
    expect(paths('link-auditor')).toContain('references/table.csv');
    await undo();
    expect(paths('link-auditor')).not.toContain('references/table.csv');
  });

  it('previews skills before they are imported, wherever they are dropped', async () => {
    core.tree.disk.set('/home/ada/skills', 'skills');
    await drop('/home/ada/skills');
    await flushPromises();
    expect(app.importer.paths).toEqual(['/home/ada/skills']);
    expect(core.callsOf('skill/import')).toEqual([{ paths: ['/home/ada/skills'], scope: 'workspace', dry_run: true }]);
  });

  it('imports packages, unless they are dropped on a skill', async () => {
    core.tree.disk.set('/home/ada/desk.skill', 'file');
    await drop('/home/ada/desk.skill');
    await flushPromises();
    expect(app.importer.paths).toEqual(['/home/ada/desk.skill']);
    expect(toasts()).toEqual([]);
  });

  it('reports files that were dropped outside of a skill or can’t be read', async () => {
    core.tree.disk.set('/home/ada/a.txt', 'file');
    await drop('/home/ada/a.txt', '/gone');
    expect(toasts()).toEqual(['Couldn’t add /gone: it can’t be read', 'This isn’t a skill']);
  });
});

it('marks files and skills with drafts', async () => {
  const { summary } = core.find('timeline-builder');
  await app.client.call('draft/save', { skill: summary.id, path: 'prompts/order.j2', base_revision: 1, text: 'x' });
  await vi.advanceTimersByTimeAsync(500);
  await row('timeline-builder', 'prompts/order.j2');
  const marked = app.tree.model.rows.filter((one) => (one.kind === 'skill' || one.kind === 'file') && app.treeMarks.hasDraft(one.skill, one.kind === 'file' ? one.entry.path : undefined));
  expect(marked.map((one) => one.label)).toEqual(['Timeline Builder', 'order.j2']);
});

it('loads expanded skills again when another workspace opens', async () => {
  const { summary } = core.find('timeline-builder');
  await row('timeline-builder');
  app.tree.model.toggle(await row('timeline-builder'), true);
  await flushPromises();
  const labels = (): string[] => app.tree.model.rows.filter((one) => one.kind !== 'section' && one.skill?.id === summary.id).map((one) => one.label);
  expect(labels()).toContain('SKILL.md');
  await app.workspace.close();
  await flushPromises();
  expect(labels()).toContain('Loading…');
  app.tree.model.loadExpanded();
  await flushPromises();
  expect(labels()).toContain('SKILL.md');
});

it('drops replies of the workspace before', async () => {
  const { summary } = core.find('timeline-builder');
  core.hold('skill/get');
  const late = app.catalog.details.load(summary, true);
  await app.workspace.close();
  core.release('skill/get');
  expect(await late).toBeNull();
  await flushPromises();
  expect(app.catalog.details.get(summary)).toBeUndefined();
});
