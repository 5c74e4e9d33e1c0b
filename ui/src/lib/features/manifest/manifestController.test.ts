import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import type { SkillOverview } from '$lib/api';
import { createApp } from '$lib/app/createApp';
import type { Document } from '$lib/features/editor';
import type { Services } from '$lib/workbench/services';
import { ManifestView } from './manifestView.svelte';

const MANIFEST = '{\n  "metadata": {\n    "manifest": {\n      "version": 1,\n      "requiredTools": ["read_skill"]\n    }\n  }\n}\n';

let core: FakeCore;
let app: Services;

const skill = (slug: string): SkillOverview => {
  const found = app.catalog.skills.find((one) => one.slug === slug && one.scope === 'account');
  if (!found) throw new Error(slug);
  return found;
};

const shown = (): Document => {
  const { document } = app.tabs;
  if (!document) throw new Error('no document');
  return document;
};

async function edit(slug: string): Promise<Document> {
  await app.manifest.open(skill(slug));
  await flushPromises();
  return shown();
}

async function opened(isFrozen = false): Promise<ManifestView> {
  const view = new ManifestView(app, await edit('governed'), () => isFrozen);
  await view.load();
  await flushPromises();
  return view;
}

beforeEach(async () => {
  fakeTimers();
  Object.assign(globalThis, { matchMedia: () => ({ matches: false }) });
  core = new FakeCore();
  core.add({ scope: 'account', slug: 'governed', name: 'Governed', description: 'd', files: { 'SKILL.md': { text: 'x', role: 'main' }, 'scripts/run.py': { text: 'x', kind: 'code_template' }, 'skill.json': { text: MANIFEST, role: 'manifest' } } });
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

describe('Edit manifest', () => {
  it('opens skill.json as a form, and a file that is opened otherwise as text', async () => {
    app.files.open(skill('governed'), 'skill.json');
    await flushPromises();
    expect(app.tabs.active).not.toHaveProperty('mode');
    expect(app.contributions.of('customEditors').find((one) => one.matches(shown()))).toMatchObject({ id: 'manifest', opensAsText: true });
    const document = await edit('governed');
    expect([document.file.path, app.tabs.active]).toMatchObject(['skill.json', { mode: 'custom' }]);
    app.commands.run('editor.toggleForm');
    expect(app.tabs.active).toMatchObject({ mode: 'text' });
    app.commands.run('editor.toggleForm');
    expect(app.tabs.active).toMatchObject({ mode: 'custom' });
  });

  it('creates skill.json where there is none, which can be undone', async () => {
    const document = await edit('link-auditor');
    expect(JSON.parse(document.content.text())).toEqual({ metadata: { manifest: { version: 1 } } });
    await app.actions.undoStack.undo();
    await flushPromises();
    expect(core.find('link-auditor').files.has('skill.json')).toBe(false);
  });

  it('creates nothing in a locked skill', async () => {
    core.add({ scope: 'account', slug: 'locked', name: 'Locked', description: 'd', source: 'system', files: { 'SKILL.md': { text: 'x', role: 'main' } } });
    await app.catalog.reload();
    await app.manifest.open(skill('locked'));
    expect([app.tabs.document, app.toasts.list.at(-1)?.message]).toEqual([null, 'Locked has no manifest.']);
    expect(core.callsOf('skill/edit')).toEqual([]);
  });

  it('says when it can’t create the file', async () => {
    core.failing.set('skill/edit', { code: 'io', message: 'disk full', hint: null, fields: null, requestId: '' });
    await app.manifest.open(skill('link-auditor'));
    expect([app.tabs.document, app.toasts.list.at(-1)?.message]).toEqual([null, 'Couldn’t create skill.json: disk full']);
  });

  it('shows form and JSON side by side, each in its own tab', async () => {
    const document = await edit('governed');
    app.commands.run('editor.formBeside');
    await flushPromises();
    expect(app.tabs.groups.list.map((group) => [group.document, group.active])).toMatchObject([[document, { mode: 'custom' }], [document, { mode: 'text' }]]);
  });
});

describe('a manifest’s form', () => {
  it('opens the groups that declare something, and keeps them open', async () => {
    const view = await opened();
    const open = (): string[] => (view.groups ?? []).filter((group) => view.isOpen(group)).map(({ id }) => id);
    expect(open()).toEqual(['requirements']);
    view.form.set(['requiredTools', 0], undefined);
    expect(open()).toEqual(['requirements']);
    view.toggle({ id: 'gates' }, true);
    expect(open()).toEqual(['requirements', 'gates']);
  });

  it('has what the check says beside its field', async () => {
    const view = await opened();
    view.form.append(['requiredTools'], '');
    view.form.append(['forbiddenTools'], 'read_skill');
    await vi.advanceTimersByTimeAsync(200);
    expect(view.notesAt(['requiredTools', 1])).toEqual([{ severity: 'error', text: 'Item 1 of "requiredTools" is empty.' }]);
    expect(view.notesAt(['forbiddenTools', 0])).toMatchObject([{ severity: 'warning' }]);
    expect(view.groups?.map((group) => view.notesIn(group)).slice(0, 3)).toEqual([1, 1, 0]);
  });

  it('is read-only while the file is, and while its JSON is broken', async () => {
    expect((await opened(true)).readOnly).toBe(true);
    const view = await opened();
    expect(view.readOnly).toBe(false);
    view.document.content.replace('{');
    expect(view.readOnly).toBe(true);
  });

  it('says when its fields can’t be loaded, and loads them again', async () => {
    core.failing.set('symbol/language', { code: 'io', message: 'no disk', hint: null, fields: null, requestId: '' });
    const view = await opened();
    expect([view.groups, view.failure?.message]).toEqual([null, 'no disk']);
    core.failing.clear();
    await view.load();
    expect([view.groups?.length, view.failure]).toEqual([11, null]);
  });

  it('knows tools, groups, integrations, agents, skills and scripts', async () => {
    core.runs.addProvider();
    await app.models.load();
    core.actions.handlers['action/save']({ slug: 'weekly', skill: 'governed' });
    const view = await opened();
    expect(view.suggestions.at(['requiredTools', 0])).toContain('read_skill');
    expect(view.suggestions.at(['forbiddenTools', 3])).toContain('delete_skill');
    expect(view.suggestions.at(['requiredToolGroups', 0])).toContain('workspace');
    expect(view.suggestions.at(['requiredIntegrations', 0, 'integrationId'])).toEqual([app.models.setup?.providers[0]?.name, 'sandbox', 'dspy']);
    expect(view.suggestions.at(['actions', 0, 'actionSlug'])).toEqual(['optimize-skill', 'weekly']);
    expect(view.suggestions.at(['evals', 'optimization', 'baselineSkillSlug'])).toContain('governed');
    expect(view.suggestions.at(['evals', 'triggerCases', 0])).toEqual([]);
    view.form.append(['deterministicSteps'], { kind: 'tool' });
    expect(view.suggestions.at(['deterministicSteps', 0, 'ref'])).toContain('read_skill');
    view.form.set(['deterministicSteps', 0, 'kind'], 'integration_sync');
    expect(view.suggestions.at(['deterministicSteps', 0, 'ref'])).toContain('sandbox');
    expect(view.suggestions.files).toContain('scripts/run.py');
  });

  it('checks readiness of what is saved, the missing first, again when settings or actions change', async () => {
    const view = await opened();
    view.form.append(['requiredTools'], 'read_skil');
    view.readiness.refresh();
    await flushPromises();
    expect(view.readiness.value).toMatchObject({ ready: true, ok: 1 });
    await app.documents.save();
    const stop = view.readiness.open();
    core.emit('setting', ['models'], 'account', 'window');
    await flushPromises();
    expect(view.readiness.requirements.map(({ name, status }) => [name, status])).toEqual([['read_skil', 'missing'], ['read_skill', 'ok']]);
    expect([view.readiness.value?.blockers, view.readiness.busy]).toEqual([['read_skil'], false]);
    const before = core.callsOf('manifest/readiness').length;
    core.emit('action', ['weekly']);
    await flushPromises();
    expect(core.callsOf('manifest/readiness')).toHaveLength(before + 1);
    stop();
    core.emit('action', ['weekly']);
    const asked = core.callsOf('manifest/readiness').length;
    core.emit('setting', ['models'], 'account', 'window');
    await flushPromises();
    expect(core.callsOf('manifest/readiness')).toHaveLength(asked);
    core.failing.set('manifest/readiness', { code: 'io', message: 'no disk', hint: null, fields: null, requestId: '' });
    view.readiness.refresh();
    await flushPromises();
    expect([view.readiness.failure?.message, view.readiness.busy]).toEqual(['no disk', false]);
  });

  it('asks what to attach only where something can be', async () => {
    const view = await opened();
    app.manifest.attach();
    expect(app.overlays.current).toBeNull();
    app.manifest.active = view;
    app.commands.run('manifest.attach');
    expect([app.overlays.current, view.isOpen({ id: 'bindings' })]).toEqual(['manifestReference', true]);
    app.overlays.close();
    view.document.content.replace('{');
    app.manifest.attach();
    expect(app.overlays.current).toBeNull();
  });
});
