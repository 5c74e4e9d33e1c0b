import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';
import type { MarketplaceViewModel } from './marketplaceViewModel.svelte';
import { compareVersions } from './versionComparison';

const REGISTRY = 'skills.example.org';
const ID = `${REGISTRY}/release-notes`;
const MAIN = '---\nname: release-notes\ndescription: Writes release notes from a list of changes. Use it before a release.\n---\n\n# Release notes\n';

let core: FakeCore;
let app: Services;
let view: MarketplaceViewModel;

async function start(prepare: (core: FakeCore) => void = () => undefined): Promise<void> {
  core = new FakeCore();
  core.marketplace.addRegistry(REGISTRY, { synced_at: '2026-03-14T09:00:00.000Z' });
  core.marketplace.publish(REGISTRY, 'release-notes', '1.0.0', { 'SKILL.md': MAIN, 'README.md': '# Read me\n' }, { category: 'writing' });
  core.marketplace.publish(REGISTRY, 'page-linter', '1.0.0', { 'SKILL.md': '# Page linter\n', 'scripts/check.py': 'print(1)\n' }, { permissions: ['code', 'network'], category: 'quality', dependsOn: ['release-notes'] });
  prepare(core);
  app = createApp(core);
  await app.lifecycle.start();
  await app.marketplace.registries.load();
  const loaded = await app.marketplace.load();
  if (!loaded) throw new Error('the view can’t be loaded');
  view = loaded;
  view.browse.list.restart();
  app.marketplace.installed.load();
  await flushPromises();
}

beforeEach(async () => {
  fakeTimers();
  await start();
});

const titles = (): string[] => Array.from({ length: view.browse.list.total }, (_, index) => view.browse.list.at(index)?.title ?? '…');
const messages = (): string[] => app.toasts.list.map((toast) => toast.message);
const skill = (slug: string): ReturnType<FakeCore['find']>['summary'] => core.find(slug).summary;
const listed = (slug: string) => app.marketplace.installed.value?.skills.find((one) => one.slug === slug);

async function act(label: string): Promise<void> {
  const toast = app.toasts.list.findLast((one) => one.actions.some((action) => action.label === label));
  const action = toast?.actions.find((one) => one.label === label);
  if (!toast || !action) throw new Error(`no ${label}`);
  app.toasts.act(toast, action);
  await flushPromises();
}

async function install(id = ID, version: string | null = null): Promise<void> {
  await view.installation.start(id, version);
  await flushPromises();
}

async function reload(): Promise<void> {
  app.marketplace.refresh();
  await flushPromises();
}

describe('browsing', () => {
  it('finds skills by words, category and registry', async () => {
    expect([titles(), view.browse.categories]).toEqual([['Page Linter', 'Release Notes'], { quality: 1, writing: 1 }]);
    view.browse.type('release');
    vi.advanceTimersByTime(200);
    await flushPromises();
    expect(titles()).toEqual(['Release Notes']);
    view.browse.clear();
    await flushPromises();
    view.browse.filter({ category: 'quality' });
    await flushPromises();
    expect([titles(), view.browse.categories, view.browse.narrowed]).toEqual([['Page Linter'], { quality: 1, writing: 1 }, true]);
    view.browse.filter({ category: null, registry: 'other.example.org' });
    await flushPromises();
    expect(titles()).toEqual([]);
  });

  it('shows the page of a skill, whose small package is downloaded at once', async () => {
    await view.openAt(1);
    await flushPromises();
    expect([view.page.value?.title, view.page.files.value?.readme, view.page.files.file?.path]).toEqual(['Release Notes', '# Read me\n', 'SKILL.md']);
    expect(view.page.showFile('README.md')).toBe(true);
    expect([view.page.tab, view.page.files.file?.text]).toEqual(['files', '# Read me\n']);
    expect(view.page.showFile('missing.md')).toBe(false);
    view.back();
    expect([view.page.id, view.page.files.value]).toEqual([null, null]);
  });

  it('says why a package can’t be downloaded, and tries again', async () => {
    core.failing.set('marketplace/package', fail('io', 'skills.example.org doesn’t answer', { hint: 'check the connection' }));
    await view.page.show(ID);
    await flushPromises();
    const { value } = view.page;
    expect([view.page.files.value, view.page.files.download.failure?.hint]).toEqual([null, 'check the connection']);
    core.failing.clear();
    if (value) await view.page.files.load(value);
    expect(view.page.files.value?.version).toBe('1.0.0');
  });

  it('compares two versions in a tab', async () => {
    core.marketplace.publish(REGISTRY, 'release-notes', '1.1.0', { 'SKILL.md': `${MAIN}More.\n`, 'new.md': 'New\n' });
    compareVersions(app, { id: ID, title: 'Release Notes', from: '1.0.0', fromLabel: '1.0.0', to: '1.1.0' });
    await flushPromises();
    const { active } = app.tabs;
    if (active?.kind !== 'comparison') throw new Error('no comparison');
    expect(active.comparison.files?.map(({ path, change }) => `${change} ${path}`)).toEqual(['removed README.md', 'modified SKILL.md', 'added new.md']);
    expect([app.layout.view, active.comparison.info.title, core.callsOf('marketplace/compare').length]).toEqual(['editor', 'Release Notes (1.0.0 → 1.1.0)', 1]);
  });
});

describe('installing', () => {
  it('needs no consent without permissions, and opens the skill', async () => {
    await install();
    expect([messages(), view.installation.consent, listed('release-notes')?.status]).toEqual([['Installed Release Notes 1.0.0'], null, 'current']);
    await act('Open');
    expect([app.layout.view, app.tabs.document?.file.path]).toEqual(['editor', 'SKILL.md']);
  });

  it('asks for the permissions, and sends those that were shown', async () => {
    await install(`${REGISTRY}/page-linter`);
    expect([view.installation.consent?.permissions, core.callsOf('marketplace/install')]).toEqual([['code', 'network'], []]);
    view.installation.consent = null;
    await install(`${REGISTRY}/page-linter`);
    await view.installation.agree();
    await flushPromises();
    expect(core.callsOf('marketplace/install')).toEqual([{ id: `${REGISTRY}/page-linter`, version: '1.0.0', accept: ['code', 'network'] }]);
    expect(app.toasts.list.at(-1)?.hint).toBe('It depends on release-notes. Install it, too.');
  });

  it('can be canceled while it downloads, and says how far it is', async () => {
    core.hold('marketplace/install');
    void view.installation.start(ID);
    await flushPromises();
    core.far('marketplace/install', 512, 2048);
    expect(view.installation.downloadOf(ID)?.fraction).toBe(0.25);
    view.installation.downloadOf(ID)?.cancel();
    core.failing.set('marketplace/install', fail('cancelled', 'canceled'));
    core.release('marketplace/install');
    await flushPromises();
    expect([core.stops, view.installation.downloadOf(ID), view.installation.failureOf(ID), messages()]).toEqual([1, null, null, []]);
  });

  it('says what failed beside the skill', async () => {
    core.failing.set('marketplace/install', fail('io', 'the download broke off', { hint: 'try again' }));
    await install();
    expect(view.installation.failureOf(ID)?.message).toBe('the download broke off');
    core.failing.clear();
    await install();
    expect([view.installation.failureOf(ID), messages()]).toEqual([null, ['Installed Release Notes 1.0.0']]);
  });

  it('names the skill that has the name already', async () => {
    core.add({ scope: 'account', slug: 'release-notes', name: 'My notes', description: '', files: {} });
    await view.page.show(ID);
    expect(view.page.value?.conflict?.title).toBe('My notes');
    await install();
    expect(view.installation.failureOf(ID)?.hint).toBe('rename or delete yours first');
  });
});

describe('installed skills', () => {
  it('are updated at once unless there are new permissions', async () => {
    await install();
    core.marketplace.publish(REGISTRY, 'release-notes', '1.1.0', { 'SKILL.md': `${MAIN}More.\n` });
    await reload();
    expect([app.marketplace.installed.attention, listed('release-notes')?.update?.version]).toEqual([1, '1.1.0']);
    await install(ID, '1.1.0');
    expect([messages().at(-1), skill('release-notes').version, app.marketplace.installed.attention]).toEqual(['Updated Release Notes to 1.1.0', '1.1.0', 0]);
    core.marketplace.publish(REGISTRY, 'release-notes', '2.0.0', { 'SKILL.md': MAIN }, { permissions: ['llm'] });
    await install(ID, '2.0.0');
    expect([view.installation.consent?.permissions, view.installation.consent?.replaces]).toEqual([['llm'], '1.1.0']);
  });

  it('are updated together, without those that need consent', async () => {
    await install();
    core.marketplace.publish(REGISTRY, 'release-notes', '2.0.0', { 'SKILL.md': MAIN }, { permissions: ['llm'] });
    await view.maintenance.updateAll();
    await flushPromises();
    expect([app.toasts.list.at(-1)?.message, skill('release-notes').version]).toEqual(['No update can be installed without your consent', '1.0.0']);
    core.marketplace.publish(REGISTRY, 'release-notes', '2.0.1', { 'SKILL.md': MAIN });
    await view.maintenance.updateAll();
    await flushPromises();
    expect([messages().at(-1), skill('release-notes').version]).toEqual(['Updated 1 skill', '2.0.1']);
  });

  it('are rolled back, which pins them, and unpinned', async () => {
    await install();
    core.marketplace.publish(REGISTRY, 'release-notes', '1.1.0', { 'SKILL.md': `${MAIN}More.\n` });
    await install();
    const [before] = app.marketplace.installed.skills;
    if (!before) throw new Error('nothing installed');
    await view.maintenance.rollBack(before);
    await flushPromises();
    expect([messages().at(-1), listed('release-notes')?.version, listed('release-notes')?.pinned]).toEqual(['Rolled back Release Notes to 1.0.0', '1.0.0', true]);
    await view.maintenance.pin(before, false);
    await flushPromises();
    expect([messages().at(-1), listed('release-notes')?.pinned]).toEqual(['Unpinned Release Notes', false]);
    await view.maintenance.rollBack(before);
    expect(view.maintenance.failureOf(before.skill)?.message).toMatch(/no earlier version/);
  });

  it('that were revoked come first', async () => {
    await install();
    await install(`${REGISTRY}/page-linter`);
    await view.installation.agree();
    const line = core.marketplace.offers[0]?.versions[0];
    if (line) line.revoked = 'sends files to a server';
    await reload();
    expect(app.marketplace.installed.skills.map((one) => `${one.slug} ${one.status} ${one.reason ?? ''}`.trim())).toEqual(['release-notes revoked sends files to a server', 'page-linter current']);
    expect(app.marketplace.installed.attention).toBe(1);
  });

  it('are removed, and come back', async () => {
    await install();
    app.catalog.refresh();
    await flushPromises();
    const [before] = app.marketplace.installed.skills;
    if (!before) throw new Error('nothing installed');
    await view.maintenance.remove(before);
    await reload();
    expect([messages().at(-1), app.marketplace.installed.skills]).toEqual(['Deleted Release Notes', []]);
    await act('Undo');
    await reload();
    expect(app.marketplace.installed.skills).toHaveLength(1);
  });
});

describe('a copy of an updated skill', () => {
  async function copy(merge: { files: Record<string, string>; conflicts: Record<string, string> }): Promise<void> {
    const found = core.find('timeline-builder').summary;
    core.marketplace.forks = [
      { skill: found.id, scope: 'account', slug: found.slug, title: found.name, revision: found.revision, parent: 'p', parent_slug: 'timeline', base_version: '1.0.0', version: '1.1.0', changes: [{ path: 'SKILL.md', by: 'theirs' }], proposal: null },
    ];
    core.marketplace.merges.set(found.id, merge);
    await reload();
  }

  it('is merged with it, which can be undone', async () => {
    await copy({ files: { 'notes.md': 'merged\n' }, conflicts: {} });
    const [fork] = app.marketplace.installed.forks;
    if (!fork) throw new Error('no copy');
    await view.maintenance.merge(fork);
    await reload();
    expect([messages().at(-1), core.find('timeline-builder').files.get('notes.md')?.text, app.marketplace.installed.forks]).toEqual(['Merged timeline 1.1.0 into Timeline Builder', 'merged\n', []]);
    await act('Undo');
    expect(core.find('timeline-builder').files.has('notes.md')).toBe(false);
  });

  it('opens a proposal for lines that both changed', async () => {
    await copy({ files: {}, conflicts: { 'SKILL.md': '<<<<<<< this copy\na\n=======\nb\n>>>>>>> updated original\n' } });
    const [fork] = app.marketplace.installed.forks;
    if (!fork) throw new Error('no copy');
    await view.maintenance.merge(fork);
    await flushPromises();
    expect([app.layout.view, app.proposals.list.selection.proposal?.title]).toEqual(['proposals', 'Merge timeline 1.1.0']);
    await reload();
    const [waiting] = app.marketplace.installed.forks;
    expect(waiting?.proposal).toBe(app.proposals.list.selection.id);
    app.layout.view = 'editor';
    if (waiting) await view.maintenance.merge(waiting);
    expect([app.layout.view, core.callsOf('fork/update').length]).toEqual(['proposals', 1]);
  });

  it('names the files whose conflicts couldn’t be proposed', async () => {
    await copy({ files: { 'notes.md': 'merged\n' }, conflicts: { 'SKILL.md': '<<<<<<< this copy\na\n=======\nb\n>>>>>>> updated original\n' } });
    const [fork] = app.marketplace.installed.forks;
    if (!fork) throw new Error('no copy');
    core.marketplace.proposesConflicts = false;
    await view.maintenance.merge(fork);
    expect(messages()).toContain('Couldn’t propose a merge of SKILL.md');
  });

  it('that was changed meanwhile says so', async () => {
    await copy({ files: {}, conflicts: {} });
    core.failing.set('fork/update', fail('revisionConflict', 'the skill was changed meanwhile'));
    const [fork] = app.marketplace.installed.forks;
    if (fork) await view.maintenance.merge(fork);
    expect(view.maintenance.failureOf(fork?.skill ?? '')?.message).toBe('the skill was changed meanwhile');
  });
});

describe('the badge', () => {
  const badge = (): unknown => app.contributions.of('views').find(({ id }) => id === 'marketplace')?.badge?.(app);

  it('counts updates and revoked skills', async () => {
    expect(badge()).toBeNull();
    await install();
    core.marketplace.publish(REGISTRY, 'release-notes', '1.1.0', { 'SKILL.md': MAIN });
    await reload();
    expect(badge()).toEqual({ count: 1, label: '1 update' });
    const line = core.marketplace.offers[0]?.versions.at(-1);
    if (line) line.revoked = 'unsafe';
    await reload();
    expect(badge()).toEqual({ count: 2, label: '2: 1 update, 1 revoked' });
  });
});
