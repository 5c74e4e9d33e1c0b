import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore, fail, WORKSPACE } from '../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../tests/support';
import { StringBuffer } from '$lib/features/editor/document/buffer';
import type { Services } from '$lib/workbench/services';
import { createApp } from './createApp';

let core: FakeCore;
let app: Services;

async function start(prepare?: (core: FakeCore) => void): Promise<void> {
  core = new FakeCore();
  prepare?.(core);
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
}

const skill = (slug: string): ReturnType<FakeCore['find']>['summary'] => core.find(slug).summary;
const toasts = (): string[] => app.toasts.list.map((toast) => toast.message);
const press = (key: string, code: string, more = {}): boolean =>
  app.commands.press({ key, code, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false, ...more });

async function undo(): Promise<void> {
  const toast = app.toasts.list.at(-1);
  const action = toast?.actions.find((one) => one.label === 'Undo');
  if (!toast || !action) throw new Error('there is no Undo');
  app.toasts.act(toast, action);
  await flushPromises();
}

function type(text: string): void {
  app.tabs.document?.content.attach(new StringBuffer(text));
  app.tabs.document?.content.edited();
}

async function open(slug: string, path: string): Promise<void> {
  app.files.open(skill(slug), path);
  await flushPromises();
}

beforeEach(async () => {
  fakeTimers();
  await start();
});

describe('starting', () => {
  it('shows the skills that are there, without a folder', () => {
    expect(app.catalog.skills).toHaveLength(3);
    expect(app.tree.model.hasWorkspace).toBe(false);
    expect(app.tabs.groups.tabs).toEqual([]);
  });

  it('opens the folder that was open last', async () => {
    await start((before) => (before.window.place = { workspace: WORKSPACE, number: 0 }));
    expect(app.client.workspace).toBe(WORKSPACE);
    expect(app.catalog.skills).toHaveLength(4);
    expect(app.windows.title).toContain('notes');
  });

  it('continues without a folder that was deleted', async () => {
    await start((before) => (before.window.place = { workspace: '/media/missing', number: 0 }));
    expect(app.workspace.current).toBeNull();
    expect(app.catalog.skills).toHaveLength(3);
    expect(toasts().join()).toMatch(/folder \/media\/missing not found/);
    expect(core.window.place.workspace).toBeNull();
  });

  it('says when the core doesn’t answer, and can try again', async () => {
    await start((before) => before.failing.set('app/status', fail('newerDatabase', 'agents.db was written by a newer version')));
    expect(app.workspace.failure?.code).toBe('newerDatabase');
    core.failing.clear();
    await app.lifecycle.start();
    expect(app.workspace.failure).toBeNull();
    expect(app.catalog.loaded).toBe(true);
  });
});

describe('the inspector', () => {
  const button = (): boolean => app.contributions.of('statusItems').some((item) => item.id === 'inspector' && 'status' in item && item.status(app) !== null);

  beforeEach(() => open('timeline-builder', 'prompts/order.j2'));

  it('is closed beside the Start page', () => {
    expect(app.context.isCrowded).toBe(false);
    app.tabs.close(app.tabs.groups.active.activeId ?? '');
    expect(app.context.isCrowded).toBe(true);
    expect(app.layout.inspector.shown).toBe(true);
    expect(button()).toBe(true);
  });

  it('leaves a narrow window to the editors until it is asked for', () => {
    expect(app.context.isCrowded).toBe(false);
    expect(button()).toBe(false);
    app.layout.window.width = 999;
    expect(app.context.isCrowded).toBe(true);
    expect(app.layout.inspector.isOver).toBe(false);
    expect(button()).toBe(true);
    app.commands.run('view.inspector');
    expect(app.layout.inspector.isOver).toBe(true);
    expect(button()).toBe(false);
    app.commands.run('view.inspector');
    expect(app.layout.inspector.isOver).toBe(false);
    // It is beside the editors again as soon as there is room.
    expect(app.layout.inspector.shown).toBe(true);
    app.layout.window.width = 1000;
    expect(button()).toBe(false);
  });

  it('can be brought back after it was hidden', () => {
    app.commands.run('view.inspector');
    expect(app.layout.inspector.shown).toBe(false);
    expect(button()).toBe(true);
    app.layout.inspector.focus();
    expect(app.layout.inspector.shown).toBe(true);
    expect(app.layout.inspector.focusRequest.wasSent).toBe(true);
  });
});

describe('folders', () => {
  it('are opened by path, and the tabs of the other one are kept', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    type('typed in no folder');
    app.folders.openFolder();
    app.folders.pick.type(WORKSPACE);
    await flushPromises();
    expect(app.folders.pick.choices[0]).toEqual({ kind: 'this', path: WORKSPACE });
    await app.folders.choose(WORKSPACE);
    await flushPromises();
    expect(app.workspace.current?.path).toBe(WORKSPACE);
    expect(app.tabs.groups.tabs).toEqual([]);
    await app.workspace.close();
    await flushPromises();
    expect(app.tabs.document?.content.text()).toBe('typed in no folder');
  });

  it('that don’t exist are said so where they were typed', async () => {
    app.folders.openFolder();
    await app.folders.choose('/missing');
    expect(app.overlays.current).toBe('folder');
    expect(app.folders.pick.failure).toMatchObject({ message: 'folder /missing not found' });
    app.folders.pick.type('/home/ada');
    expect(app.folders.pick.failure).toBeNull();
    await app.folders.choose(WORKSPACE);
    expect(app.overlays.current).toBeNull();
    expect(app.workspace.current?.path).toBe(WORKSPACE);
  });

  it('complete while typing, the newest answer winning', async () => {
    app.folders.openFolder();
    await flushPromises();
    expect(app.folders.pick.choices.map((choice) => choice.kind)).toEqual(['recent', 'recent', 'recent']);
    core.hold('path/complete');
    app.folders.pick.type('/ho');
    app.folders.pick.type('/home/ada/');
    expect(app.folders.pick.settled).toBe(false);
    core.release('path/complete');
    await flushPromises();
    expect(app.folders.pick.choices.map((choice) => choice.path)).toEqual(['/home/ada/', '/home/ada/code', WORKSPACE]);
  });
});

describe('saving with Ctrl+S', () => {
  it('stores the file in front', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    expect(press('s', 'KeyS')).toBe(false);
    type('new');
    expect(press('s', 'KeyS')).toBe(true);
    await flushPromises();
    expect(core.find('timeline-builder').files.get('prompts/order.j2')?.text).toBe('new');
    expect(app.catalog.summary(skill('timeline-builder'))?.revision).toBe(2);
  });

  it('compares first when the file was changed elsewhere', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    type('ours');
    core.writeElsewhere('timeline-builder', 'prompts/order.j2', 'theirs');
    await flushPromises();
    press('s', 'KeyS');
    await flushPromises();
    expect(app.tabs.document?.conflict.shown).toMatchObject({ theirs: 'theirs', ours: 'ours' });
    expect(core.find('timeline-builder').files.get('prompts/order.j2')?.text).toBe('theirs');
  });

  it('says what failed, with a way to try again', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    type('new');
    core.failing.set('skill/edit', fail('io', 'the disk is full', { hint: 'Free some space' }));
    press('s', 'KeyS');
    await flushPromises();
    expect(toasts()).toEqual(['Couldn’t save prompts/order.j2: the disk is full']);
    core.failing.clear();
    const toast = app.toasts.list[0];
    if (toast?.actions[0]) app.toasts.act(toast, toast.actions[0]);
    await flushPromises();
    expect(app.tabs.document?.content.dirty).toBe(false);
  });
});

describe('a locked skill', () => {
  it('is copied, and the copy opens at the same file', async () => {
    await open('consistency-checker', 'prompts/check-prompt.j2');
    app.commands.run('skill.duplicate');
    await flushPromises();
    expect(app.tabs.document).toMatchObject({ file: { path: 'prompts/check-prompt.j2', skill: { scope: 'account' } } });
    expect(app.context.skill?.slug).toBe('consistency-checker-copy');
  });

  it('is overridden in the workspace when one is open', async () => {
    await app.workspace.open(WORKSPACE);
    await open('consistency-checker', 'SKILL.md');
    app.commands.run('skill.duplicate');
    await flushPromises();
    expect(app.tabs.document).toMatchObject({ file: { path: 'SKILL.md', skill: { scope: 'workspace' } } });
    expect(app.catalog.summary(skill('consistency-checker'))?.shadowed).toBe(true);
  });

  it('isn’t renamed or deleted from, but offers a copy', () => {
    app.treeActions.removeFile(skill('consistency-checker'), 'prompts/check-prompt.j2');
    expect(toasts()).toEqual(['Consistency Checker is locked']);
    expect(core.callsOf('skill/edit')).toEqual([]);
  });
});

describe('files', () => {
  it('are made as artifacts, declared in skill.json', async () => {
    const failure = await app.actions.createFile(skill('timeline-builder'), 'prompts/sort.j2', 'prompt_template', 'Sort');
    await flushPromises();
    expect(failure).toBeNull();
    expect(core.find('timeline-builder').files.get('prompts/sort.j2')).toMatchObject({ kind: 'prompt_template', name: 'Sort' });
    expect(app.tabs.document?.file.path).toBe('prompts/sort.j2');
    expect(app.tree.cursor.row).toMatchObject({ kind: 'file', label: 'sort.j2' });
  });

  it('aren’t declared over an unsaved skill.json', async () => {
    core.add({ scope: 'account', slug: 'x', name: 'X', description: 'd', files: { 'SKILL.md': { text: 'x', role: 'main' }, 'skill.json': { text: '{}', role: 'manifest' } } });
    await app.catalog.reload();
    await open('x', 'skill.json');
    type('{"title": "ours"}');
    const failure = await app.actions.createFile(skill('x'), 'prompts/p.j2', 'prompt_template', 'P');
    expect(failure?.message).toContain('unsaved');
    expect(core.callsOf('artifact/declare')).toEqual([]);
  });

  it('are deleted at once and brought back by Undo', async () => {
    await open('link-auditor', 'scripts/audit.sh');
    app.commands.run('file.delete');
    await flushPromises();
    expect(core.find('link-auditor').files.has('scripts/audit.sh')).toBe(false);
    expect(app.tabs.groups.tabs).toEqual([]);
    await undo();
    expect(core.find('link-auditor').files.has('scripts/audit.sh')).toBe(true);
  });

  it('are renamed with their tab, and back by Undo', async () => {
    await open('link-auditor', 'scripts/audit.sh');
    expect(await app.actions.structure.rename(skill('link-auditor'), 'scripts', 'bin', true)).toBeNull();
    await flushPromises();
    expect(app.tabs.document?.file.path).toBe('bin/audit.sh');
    await undo();
    expect(app.tabs.document?.file.path).toBe('scripts/audit.sh');
    expect(app.tabs.document?.conflict.external).toBeNull();
  });
});

describe('skills', () => {
  it('are made and opened', async () => {
    expect(await app.actions.createSkill('My skill', 'Does this and that.', 'account')).toBeNull();
    await flushPromises();
    expect(app.tabs.document?.file.path).toBe('SKILL.md');
    expect(app.catalog.skills.some((one) => one.slug === 'my-skill')).toBe(true);
    expect(await app.actions.createSkill('With prompt', 'Does this and that.', 'account', 'prompt')).toBeNull();
    expect(core.find('with-prompt').files.get('prompts/main.j2')?.kind).toBe('prompt_template');
    expect(core.callsOf('skill/create').at(-1)).toMatchObject({ content: expect.stringContaining('# With prompt') as unknown });
    const again = await app.actions.createSkill('My skill', 'Does this and that.', 'account');
    expect(again).toMatchObject({ code: 'exists', hint: 'Choose another name' });
  });

  it('are deleted with their tabs and brought back by Undo', async () => {
    await open('timeline-builder', 'SKILL.md');
    app.commands.run('skill.delete');
    await flushPromises();
    expect(app.tabs.groups.tabs).toEqual([]);
    expect(app.catalog.skills.some((one) => one.slug === 'timeline-builder')).toBe(false);
    await undo();
    expect(app.catalog.skills.some((one) => one.slug === 'timeline-builder')).toBe(true);
  });

  it('that others need aren’t deleted, and name them', async () => {
    core.failing.set('skill/delete', fail('hasDependents', 'other skills depend on it', { fields: { dependents: ['order-checker'] } }));
    await app.actions.structure.remove([{ kind: 'skill', skill: skill('timeline-builder') }]);
    expect(app.toasts.list[0]).toMatchObject({ tone: 'error', hint: 'Needed by order-checker.' });
  });

  it('are disabled and enabled', async () => {
    await open('timeline-builder', 'SKILL.md');
    app.commands.run('skill.disable');
    await flushPromises();
    expect(app.catalog.summary(skill('timeline-builder'))?.enabled).toBe(false);
    await undo();
    expect(app.catalog.summary(skill('timeline-builder'))?.enabled).toBe(true);
  });

  it('go back to a revision, and forth by Undo', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    const first = app.tabs.document?.content.text();
    type('second');
    await app.documents.save();
    await flushPromises();
    const revision = core.find('timeline-builder').revisions[0]?.info;
    if (revision) await app.actions.rollBack(skill('timeline-builder'), revision);
    await flushPromises();
    expect(app.tabs.document?.content.text()).toBe(first);
    await undo();
    expect(app.tabs.document?.content.text()).toBe('second');
  });

  it('show what a revision changed', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    type('second');
    await app.documents.save();
    await flushPromises();
    const now = app.catalog.summary(skill('timeline-builder'));
    if (now) app.compare.revisions(now, 1, 2, null);
    await flushPromises();
    const { active } = app.compare;
    expect(active?.info).toMatchObject({ title: 'Timeline Builder (1 → 2)', name: 'Timeline Builder', note: '1 → 2', rightLabel: 'Revision 2 (current)' });
    expect(active?.files?.map((file) => file.path)).toEqual(['prompts/order.j2']);
    expect(active?.shown?.texts.right.text).toBe('second');
  });
});

describe('quick open', () => {
  it('finds files of skills that weren’t opened yet', async () => {
    app.palette.showQuickOpen();
    await flushPromises();
    app.quickOpen.type('checkprompt');
    await flushPromises();
    expect(core.callsOf('skill/get')).toEqual([]);
    const [item] = app.quickOpen.items;
    expect(item?.path).toMatch(/check-prompt/);
    if (item) app.files.openQuickOpenItem(item);
    await flushPromises();
    expect(app.overlays.current).toBeNull();
    expect(app.tabs.document?.file.path).toBe(item?.path);
  });

  it('finds skills and opens their SKILL.md', async () => {
    app.palette.showQuickOpen();
    app.quickOpen.type('timeline');
    await flushPromises();
    const [item] = app.quickOpen.items;
    expect(item).toMatchObject({ path: null, text: 'Timeline Builder' });
    if (item) app.files.openQuickOpenItem(item);
    await flushPromises();
    expect(app.tabs.document?.file.path).toBe('SKILL.md');
  });
});

it('closes a tab with unsaved text without losing it', async () => {
  await open('timeline-builder', 'prompts/order.j2');
  type('half');
  press('w', 'KeyW');
  await flushPromises();
  expect(toasts()).toEqual(['prompts/order.j2 has unsaved changes, kept as a draft']);
  expect([...core.drafts.values()]).toMatchObject([{ text: 'half' }]);
  await vi.advanceTimersByTimeAsync(400);
  expect(app.catalog.drafts.list).toHaveLength(1);
  app.files.openDrafts();
  await flushPromises();
  expect(app.tabs.document?.content.text()).toBe('half');
});

it('imports a folder after showing what would happen', async () => {
  app.importSource.choose();
  expect(app.importSource.open).toBe(true);
  app.folders.importPath();
  await app.folders.choose('/home/ada/.claude/skills');
  await flushPromises();
  expect(core.callsOf('skill/import')).toMatchObject([{ dry_run: true, scope: 'account' }]);
  expect(app.importer.choices.count(app.importer.items ?? [])).toBe(2);
  await app.importer.apply();
  await flushPromises();
  expect(app.importer.applied).toBe(true);
  expect(app.catalog.skills.some((one) => one.slug === 'pdf-forms')).toBe(true);
});

it('makes a plain file an artifact, and back by Undo', async () => {
  await app.actions.declare(skill('link-auditor'), 'scripts/audit.sh', 'code_template');
  expect(core.find('link-auditor').files.get('scripts/audit.sh')).toMatchObject({ kind: 'code_template', name: 'Audit' });
  await undo();
  expect(core.find('link-auditor').files.get('scripts/audit.sh')?.kind).toBeUndefined();
});

it('leaves what happens in another window’s workspace alone', async () => {
  await app.workspace.open(WORKSPACE);
  // The first look at all skills is over.
  await vi.advanceTimersByTimeAsync(1_500);
  core.calls.length = 0;
  core.workspace = '/home/ada/other';
  core.emit('skill', ['x'], 'workspace');
  await vi.advanceTimersByTimeAsync(500);
  expect(core.calls).toEqual([]);
});

it('reads everything again when the feed fell behind', async () => {
  await open('timeline-builder', 'prompts/order.j2');
  core.find('timeline-builder').files.set('prompts/order.j2', { text: 'missed', kind: 'prompt_template', name: 'Order' });
  core.emit('skill', []);
  await flushPromises();
  expect(app.tabs.document?.content.text()).toBe('missed');
});

it('exports to a folder that is chosen after the form', async () => {
  await app.exporter.start([skill('timeline-builder')]);
  app.folders.exportSkills();
  await app.folders.choose('/tmp');
  await flushPromises();
  expect(core.callsOf('skill/export').at(-1)).toEqual({ skills: [{ skill: skill('timeline-builder').id, scope: 'account' }], normalize: false, out: '/tmp' });
  expect(toasts()).toEqual(['Exported timeline-builder to /tmp/timeline-builder']);
  expect(app.exporter.skills).toBeNull();
});

it('shows what could not be exported, and replaces existing files only on request', async () => {
  core.exports.inTheWay.add('timeline-builder');
  await app.exporter.start([skill('timeline-builder'), skill('link-auditor')]);
  app.folders.exportSkills();
  await app.folders.choose('/tmp');
  await flushPromises();
  expect(toasts()).toEqual([]);
  expect(app.exporter.report?.items.filter(({ failure }) => failure?.code === 'exists').map(({ slug }) => slug)).toEqual(['timeline-builder']);
  app.folders.exported(await app.exporter.replace());
  expect(core.callsOf('skill/export').at(-1)).toMatchObject({ skills: [{ skill: skill('timeline-builder').id }], replace: true });
  expect(toasts()).toEqual(['Exported 2 skills to /tmp']);
});

it('remembers sizes, and doesn’t let them crowd a small window', async () => {
  app.layout.window.width = 900;
  expect(app.layout.sidebar.width + app.layout.inspector.width).toBeLessThan(900 * 0.62);
  app.layout.window.width = 1600;
  app.layout.sidebar.resize(300);
  await vi.advanceTimersByTimeAsync(500);
  expect(core.settings['ui.layout']).toMatchObject({ sidebar: 300 });
  core.settings['ui.layout'] = { sidebar: 'wide', showPanel: 1 };
  core.emit('setting', ['ui.layout']);
  await flushPromises();
  expect(app.layout.sidebar.width).toBe(260);
});

it('follows links of a rendered file only to files of the skill', async () => {
  await open('consistency-checker', 'SKILL.md');
  const document = app.tabs.open({ scope: 'account', skillId: skill('consistency-checker').id, path: 'SKILL.md' });
  app.files.followLink(document.file, 'scripts/cross-reference.py');
  await flushPromises();
  expect(app.tabs.document?.file.path).toBe('scripts/cross-reference.py');
  app.files.followLink(document.file, '../../etc/passwd');
  expect(toasts().at(-1)).toContain('not found in this skill');
  app.files.followLink(document.file, 'https://example.org/');
  await flushPromises();
  expect(app.external.asked).toBe('https://example.org/');
});

it('gives a shortcut to several commands only where at most one of them can run', async () => {
  await open('timeline-builder', 'prompts/order.j2');
  const keys = app.commands.list.flatMap((command) => command.keys ?? []);
  const shared = [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))];
  for (const view of ['editor', 'pages', 'runs', 'proposals', 'help', 'settings'] as const) {
    app.layout.view = view;
    for (const key of shared) {
      const able = app.commands.withKey(key).filter((command) => command.when?.() ?? true);
      expect([view, key, able.map(({ id }) => id).slice(1)]).toEqual([view, key, []]);
    }
  }
});
