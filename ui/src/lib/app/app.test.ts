import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore, fail, WORKSPACE } from '../../../tests/fake/core';
import { fakeTimers, settle } from '../../../tests/support';
import { StringBuffer } from '$lib/features/editor/buffer';
import { Studio } from './studio.svelte';

let core: FakeCore;
let studio: Studio;

async function start(prepare?: (core: FakeCore) => void): Promise<void> {
  core = new FakeCore();
  prepare?.(core);
  studio = new Studio(core);
  await studio.start();
  await settle();
}

const skill = (slug: string): ReturnType<FakeCore['find']>['summary'] => core.find(slug).summary;
const toasts = (): string[] => studio.toasts.list.map((toast) => toast.message);
const press = (key: string, code: string, more = {}): boolean =>
  studio.commands.press({ key, code, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false, ...more });

async function undo(): Promise<void> {
  const toast = studio.toasts.list.at(-1);
  const action = toast?.actions.find((one) => one.label === 'Undo');
  if (!toast || !action) throw new Error('there is no Undo');
  studio.toasts.act(toast, action);
  await settle();
}

function type(text: string): void {
  studio.tabs.document?.attach(new StringBuffer(text));
  studio.tabs.document?.edited();
}

async function open(slug: string, path: string): Promise<void> {
  studio.files.open(skill(slug), path);
  await settle();
}

beforeEach(async () => {
  fakeTimers();
  await start();
});

describe('starting', () => {
  it('shows the skills that are there, without a folder', () => {
    expect(studio.catalog.skills).toHaveLength(3);
    expect(studio.tree.hasWorkspace).toBe(false);
    expect(studio.tabs.list).toEqual([]);
  });

  it('opens the folder that was open last', async () => {
    await start((before) => (before.window.place = { workspace: WORKSPACE, number: 0 }));
    expect(studio.client.workspace).toBe(WORKSPACE);
    expect(studio.catalog.skills).toHaveLength(4);
    expect(studio.windows.title).toContain('notes');
  });

  it('goes on without a folder that is gone', async () => {
    await start((before) => (before.window.place = { workspace: '/media/missing', number: 0 }));
    expect(studio.workspace.current).toBeNull();
    expect(studio.catalog.skills).toHaveLength(3);
    expect(toasts().join()).toMatch(/no folder \/media\/missing/);
    expect(core.window.place.workspace).toBeNull();
  });

  it('says when the core doesn’t answer, and can try again', async () => {
    await start((before) => before.failing.set('app/status', fail('newerDatabase', 'agents.db was written by a newer version')));
    expect(studio.workspace.failure?.code).toBe('newerDatabase');
    core.failing.clear();
    await studio.start();
    expect(studio.workspace.failure).toBeNull();
    expect(studio.catalog.loaded).toBe(true);
  });
});

describe('folders', () => {
  it('are opened by path, and the tabs of the other one are kept', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    type('typed in no folder');
    studio.folders.openFolder();
    studio.folders.pick.type(WORKSPACE);
    await settle();
    expect(studio.folders.pick.choices[0]).toEqual({ kind: 'this', path: WORKSPACE });
    await studio.folders.choose(WORKSPACE);
    await settle();
    expect(studio.workspace.current?.path).toBe(WORKSPACE);
    expect(studio.tabs.list).toEqual([]);
    await studio.workspace.close();
    await settle();
    expect(studio.tabs.document?.text()).toBe('typed in no folder');
  });

  it('that don’t exist are said so where they were typed', async () => {
    studio.folders.openFolder();
    await studio.folders.choose('/missing');
    expect(studio.overlay).toBe('folder');
    expect(studio.folders.pick.failure).toMatchObject({ message: 'there is no folder /missing' });
    studio.folders.pick.type('/home/ada');
    expect(studio.folders.pick.failure).toBeNull();
    await studio.folders.choose(WORKSPACE);
    expect(studio.overlay).toBeNull();
    expect(studio.workspace.current?.path).toBe(WORKSPACE);
  });

  it('complete while typing, the newest answer winning', async () => {
    studio.folders.openFolder();
    await settle();
    expect(studio.folders.pick.choices.map((choice) => choice.kind)).toEqual(['recent', 'recent', 'recent']);
    core.hold('path/complete');
    studio.folders.pick.type('/ho');
    studio.folders.pick.type('/home/ada/');
    expect(studio.folders.pick.settled).toBe(false);
    core.release('path/complete');
    await settle();
    expect(studio.folders.pick.choices.map((choice) => choice.path)).toEqual(['/home/ada/', '/home/ada/code', WORKSPACE]);
  });
});

describe('saving with Ctrl+S', () => {
  it('stores the file in front', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    expect(press('s', 'KeyS')).toBe(false);
    type('new');
    expect(press('s', 'KeyS')).toBe(true);
    await settle();
    expect(core.find('timeline-builder').files.get('prompts/order.j2')?.text).toBe('new');
    expect(studio.catalog.summary(skill('timeline-builder'))?.revision).toBe(2);
  });

  it('compares first when the file was changed elsewhere', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    type('mine');
    core.writeElsewhere('timeline-builder', 'prompts/order.j2', 'theirs');
    await settle();
    press('s', 'KeyS');
    await settle();
    expect(studio.tabs.document?.conflict).toMatchObject({ theirs: 'theirs', mine: 'mine' });
    expect(core.find('timeline-builder').files.get('prompts/order.j2')?.text).toBe('theirs');
  });

  it('says what failed, with a way to try again', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    type('new');
    core.failing.set('skill/edit', fail('io', 'the disk is full', { hint: 'Free some space' }));
    press('s', 'KeyS');
    await settle();
    expect(toasts()).toEqual(['Couldn’t save prompts/order.j2: the disk is full']);
    core.failing.clear();
    const toast = studio.toasts.list[0];
    if (toast?.actions[0]) studio.toasts.act(toast, toast.actions[0]);
    await settle();
    expect(studio.tabs.document?.dirty).toBe(false);
  });
});

describe('a locked skill', () => {
  it('is copied, and the copy opens at the same file', async () => {
    await open('consistency-checker', 'prompts/check-prompt.j2');
    studio.commands.run('skill.duplicate');
    await settle();
    expect(studio.tabs.document).toMatchObject({ path: 'prompts/check-prompt.j2', scope: 'account' });
    expect(studio.skill?.slug).toBe('consistency-checker-copy');
  });

  it('is overridden in the workspace when one is open', async () => {
    await studio.workspace.open(WORKSPACE);
    await open('consistency-checker', 'SKILL.md');
    studio.commands.run('skill.duplicate');
    await settle();
    expect(studio.tabs.document).toMatchObject({ path: 'SKILL.md', scope: 'workspace' });
    expect(studio.catalog.summary(skill('consistency-checker'))?.shadowed).toBe(true);
  });

  it('isn’t renamed or deleted from, but offers a copy', () => {
    studio.treeActions.removeFile(skill('consistency-checker'), 'prompts/check-prompt.j2');
    expect(toasts()).toEqual(['Consistency Checker is locked']);
    expect(core.callsOf('skill/edit')).toEqual([]);
  });
});

describe('files', () => {
  it('are made as artifacts, declared in skill.json', async () => {
    const failure = await studio.actions.createFile(skill('timeline-builder'), 'prompts/sort.j2', 'prompt_template', 'Sort');
    await settle();
    expect(failure).toBeNull();
    expect(core.find('timeline-builder').files.get('prompts/sort.j2')).toMatchObject({ kind: 'prompt_template', name: 'Sort' });
    expect(studio.tabs.document?.path).toBe('prompts/sort.j2');
    expect(studio.tree.current).toMatchObject({ kind: 'file', label: 'sort.j2' });
  });

  it('aren’t declared over an unsaved skill.json', async () => {
    core.add({ scope: 'account', slug: 'x', name: 'X', description: 'd', files: { 'SKILL.md': { text: 'x', role: 'main' }, 'skill.json': { text: '{}', role: 'manifest' } } });
    await studio.catalog.reload();
    await open('x', 'skill.json');
    type('{"title": "mine"}');
    const failure = await studio.actions.createFile(skill('x'), 'prompts/p.j2', 'prompt_template', 'P');
    expect(failure?.message).toContain('unsaved');
    expect(core.callsOf('artifact/declare')).toEqual([]);
  });

  it('are deleted at once and brought back by Undo', async () => {
    await open('link-auditor', 'scripts/audit.sh');
    studio.commands.run('file.delete');
    await settle();
    expect(core.find('link-auditor').files.has('scripts/audit.sh')).toBe(false);
    expect(studio.tabs.list).toEqual([]);
    await undo();
    expect(core.find('link-auditor').files.has('scripts/audit.sh')).toBe(true);
  });

  it('are renamed with their tab, and back by Undo', async () => {
    await open('link-auditor', 'scripts/audit.sh');
    expect(await studio.actions.structure.rename(skill('link-auditor'), 'scripts', 'bin', true)).toBeNull();
    await settle();
    expect(studio.tabs.document?.path).toBe('bin/audit.sh');
    await undo();
    expect(studio.tabs.document?.path).toBe('scripts/audit.sh');
    expect(studio.tabs.document?.external).toBeNull();
  });
});

describe('skills', () => {
  it('are made and opened', async () => {
    expect(await studio.actions.createSkill('My skill', 'Does this and that.', 'account')).toBeNull();
    await settle();
    expect(studio.tabs.document?.path).toBe('SKILL.md');
    expect(studio.catalog.skills.some((one) => one.slug === 'my-skill')).toBe(true);
    const again = await studio.actions.createSkill('My skill', 'Does this and that.', 'account');
    expect(again).toMatchObject({ code: 'exists', hint: 'Choose another name' });
  });

  it('are deleted with their tabs and brought back by Undo', async () => {
    await open('timeline-builder', 'SKILL.md');
    studio.commands.run('skill.delete');
    await settle();
    expect(studio.tabs.list).toEqual([]);
    expect(studio.catalog.skills.some((one) => one.slug === 'timeline-builder')).toBe(false);
    await undo();
    expect(studio.catalog.skills.some((one) => one.slug === 'timeline-builder')).toBe(true);
  });

  it('that others need name them instead of going', async () => {
    core.failing.set('skill/delete', fail('hasDependents', 'other skills depend on it', { fields: { dependents: ['order-checker'] } }));
    await studio.actions.structure.remove([{ kind: 'skill', skill: skill('timeline-builder') }]);
    expect(studio.toasts.list[0]).toMatchObject({ tone: 'error', hint: 'Needed by order-checker.' });
  });

  it('are disabled and enabled', async () => {
    await open('timeline-builder', 'SKILL.md');
    studio.commands.run('skill.disable');
    await settle();
    expect(studio.catalog.summary(skill('timeline-builder'))?.enabled).toBe(false);
    await undo();
    expect(studio.catalog.summary(skill('timeline-builder'))?.enabled).toBe(true);
  });

  it('go back to a revision, and forth by Undo', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    const first = studio.tabs.document?.text();
    type('second');
    await studio.files.save();
    await settle();
    const revision = core.find('timeline-builder').revisions[0]?.info;
    if (revision) await studio.actions.rollBack(skill('timeline-builder'), revision);
    await settle();
    expect(studio.tabs.document?.text()).toBe(first);
    await undo();
    expect(studio.tabs.document?.text()).toBe('second');
  });

  it('show what a revision changed', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    type('second');
    await studio.files.save();
    await settle();
    const now = studio.catalog.summary(skill('timeline-builder'));
    if (now) studio.compare.revisions(now, 1, 2, null);
    await settle();
    const { active } = studio.compare;
    expect(active).toMatchObject({ title: 'Timeline Builder (1 → 2)', name: 'Timeline Builder', note: '1 → 2', rightLabel: 'Revision 2, current' });
    expect(active?.files?.map((file) => file.path)).toEqual(['prompts/order.j2']);
    expect(active?.shown?.texts.right.text).toBe('second');
  });
});

describe('quick open', () => {
  it('finds files of skills that weren’t looked at yet', async () => {
    studio.showOverlay('quick');
    await settle();
    studio.quick.type('checkprompt');
    await settle();
    expect(core.callsOf('skill/get')).toEqual([]);
    const [goal] = studio.quick.goals;
    expect(goal?.path).toMatch(/check-prompt/);
    if (goal) studio.files.openGoal(goal);
    await settle();
    expect(studio.overlay).toBeNull();
    expect(studio.tabs.document?.path).toBe(goal?.path);
  });

  it('finds skills and opens their SKILL.md', async () => {
    studio.showOverlay('quick');
    studio.quick.type('timeline');
    await settle();
    const [goal] = studio.quick.goals;
    expect(goal).toMatchObject({ path: null, text: 'Timeline Builder' });
    if (goal) studio.files.openGoal(goal);
    await settle();
    expect(studio.tabs.document?.path).toBe('SKILL.md');
  });
});

it('closes a tab with unsaved text without losing it', async () => {
  await open('timeline-builder', 'prompts/order.j2');
  type('half');
  press('w', 'KeyW');
  await settle();
  expect(toasts()).toEqual(['prompts/order.j2 has unsaved changes, kept as a draft']);
  expect([...core.drafts.values()]).toMatchObject([{ text: 'half' }]);
  await vi.advanceTimersByTimeAsync(400);
  expect(studio.catalog.drafts).toHaveLength(1);
  studio.files.openDrafts();
  await settle();
  expect(studio.tabs.document?.text()).toBe('half');
});

it('imports a folder after showing what would happen', async () => {
  studio.folders.importFolder();
  await studio.folders.choose('/home/ada/.claude/skills');
  await settle();
  expect(core.callsOf('skill/import')).toMatchObject([{ dry_run: true, scope: 'account' }]);
  expect(studio.importer.changes).toBe(2);
  await studio.importer.apply();
  await settle();
  expect(studio.importer.applied).toBe(true);
  expect(studio.catalog.skills.some((one) => one.slug === 'pdf-forms')).toBe(true);
});

it('makes a plain file an artifact, and back by Undo', async () => {
  await studio.actions.declare(skill('link-auditor'), 'scripts/audit.sh', 'code_template');
  expect(core.find('link-auditor').files.get('scripts/audit.sh')).toMatchObject({ kind: 'code_template', name: 'Audit' });
  await undo();
  expect(core.find('link-auditor').files.get('scripts/audit.sh')?.kind).toBeUndefined();
});

it('leaves what happens in another window’s workspace alone', async () => {
  await studio.workspace.open(WORKSPACE);
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
  await settle();
  expect(studio.tabs.document?.text()).toBe('missed');
});

it('exports to a folder that is chosen after the form', async () => {
  await studio.exporter.start([skill('timeline-builder')]);
  studio.folders.exportSkills();
  await studio.folders.choose('/tmp');
  await settle();
  expect(core.callsOf('skill/export').at(-1)).toEqual({ skills: [{ skill: skill('timeline-builder').id, scope: 'account' }], normalise: false, out: '/tmp' });
  expect(toasts()).toEqual(['Exported timeline-builder to /tmp/timeline-builder']);
  expect(studio.exporter.skills).toBeNull();
});

it('stays with what could not be exported, and replaces what is in the way only when told', async () => {
  core.exports.inTheWay.add('timeline-builder');
  await studio.exporter.start([skill('timeline-builder'), skill('link-auditor')]);
  studio.folders.exportSkills();
  await studio.folders.choose('/tmp');
  await settle();
  expect(toasts()).toEqual([]);
  expect(studio.exporter.inTheWay.map(({ slug }) => slug)).toEqual(['timeline-builder']);
  studio.folders.exported(await studio.exporter.replace());
  expect(core.callsOf('skill/export').at(-1)).toMatchObject({ skills: [{ skill: skill('timeline-builder').id }], replace: true });
  expect(toasts()).toEqual(['Exported 2 skills to /tmp']);
});

it('remembers sizes, and doesn’t let them crowd a small window', async () => {
  studio.layout.windowWidth = 900;
  expect(studio.layout.sidebar + studio.layout.inspector).toBeLessThan(900 * 0.62);
  studio.layout.windowWidth = 1600;
  studio.layout.set({ sidebar: 300 });
  await vi.advanceTimersByTimeAsync(500);
  expect(core.settings['ui.layout']).toMatchObject({ sidebar: 300 });
  core.settings['ui.layout'] = { sidebar: 'wide', showPanel: 1 };
  core.emit('setting', ['ui.layout']);
  await settle();
  expect(studio.layout.sidebar).toBe(260);
});

it('follows links of a rendered file only to files of the skill', async () => {
  await open('consistency-checker', 'SKILL.md');
  const document = studio.tabs.open({ scope: 'account', skillId: skill('consistency-checker').id, path: 'SKILL.md' });
  studio.files.followLink(document, 'scripts/cross-reference.py');
  await settle();
  expect(studio.tabs.document?.path).toBe('scripts/cross-reference.py');
  studio.files.followLink(document, '../../etc/passwd');
  expect(toasts().at(-1)).toContain('not found in this skill');
  studio.files.followLink(document, 'https://example.org/');
  await settle();
  expect(core.clipboard).toBe('https://example.org/');
});

it('gives a shortcut to several commands only where at most one of them can run', async () => {
  await open('timeline-builder', 'prompts/order.j2');
  const keys = studio.commands.list.flatMap((command) => command.keys ?? []);
  const shared = [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))];
  for (const view of ['studio', 'pages', 'runs', 'proposals', 'help', 'settings'] as const) {
    studio.layout.view = view;
    for (const key of shared) {
      const able = studio.commands.withKey(key).filter((command) => command.when?.() ?? true);
      expect([view, key, able.map(({ id }) => id).slice(1)]).toEqual([view, key, []]);
    }
  }
});
