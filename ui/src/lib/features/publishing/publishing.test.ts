import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';
import type { PlannedRow } from './plannedRow';
import type { Publishing } from './publishing.svelte';

const FOLDER = '/home/ada/registry';
const RECENT = 'ui.published_registries';
const MAIN = '---\nname: release-notes\ndescription: Writes release notes from a list of changes. Use it before a release.\n---\n\n# Release notes\n';

let core: FakeCore;
let app: Services;
let dialog: Publishing;

const skill = (slug = 'release-notes'): ReturnType<FakeCore['find']>['summary'] => core.find(slug).summary;
const row = (slug = 'release-notes'): PlannedRow => {
  const found = dialog.release.rows.find((one) => one.skill.slug === slug);
  if (!found) throw new Error(`${slug} isn’t planned`);
  return found;
};
const published = (slug = 'release-notes') => core.publishing.registries.get(FOLDER)?.skills.get(slug)?.map(({ version }) => version) ?? [];
const write = (path: string, text: string, slug = 'release-notes'): void => core.writeElsewhere(slug, path, text);

async function start(skills = [skill()]): Promise<void> {
  await app.publishing.start(skills);
  if (!app.publishing.dialog) throw new Error('no dialog');
  dialog = app.publishing.dialog;
  await flushPromises();
}

async function submit(): Promise<void> {
  await dialog.submit();
  await flushPromises();
}

/** Until the changes of skills are shown. */
async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(500);
  await flushPromises();
}

/** From the registry that was used last to the review. */
async function review(skills = [skill()]): Promise<void> {
  await start(skills);
  if (dialog.target.status === null) await dialog.target.choose(FOLDER);
  await submit();
  await submit();
}

async function publishFirst(): Promise<void> {
  await review();
  await submit();
  await submit();
  await settled();
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  core.add({ scope: 'account', slug: 'release-notes', name: 'Release notes', description: 'Writes release notes.', files: { 'SKILL.md': { text: MAIN, role: 'main', kind: 'description', name: 'Overview' } } });
  core.publishing.addRegistry(FOLDER);
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

describe('the registry', () => {
  it('is typed and read before the next step', async () => {
    await start();
    dialog.target.type('~/registry');
    await submit();
    expect([dialog.step, dialog.target.status?.title, dialog.target.status?.folder]).toEqual(['registry', 'Example skills', FOLDER]);
    await submit();
    expect(dialog.step).toBe('skills');
    dialog.back();
    dialog.target.type('~/registr');
    expect([dialog.step, dialog.target.status]).toEqual(['registry', null]);
  });

  it('is the one that was used last, with its keys, and can be removed from the list', async () => {
    core.publishing.addRegistry('/srv/other', 'other.example.org', { title: 'Other skills', keys: '/media/keys' });
    await start();
    await dialog.target.choose('/srv/other');
    dialog.target.keys = '/media/keys';
    await dialog.target.read();
    await dialog.target.choose(FOLDER);
    expect(dialog.target.keys).toBe('');
    await dialog.target.choose('/srv/other');
    dialog.close();
    await flushPromises();
    expect(core.settings[RECENT]).toEqual([{ folder: '/srv/other', title: 'Other skills', keys: '/media/keys' }, { folder: FOLDER, title: 'Example skills', keys: '' }]);
    await start();
    expect([dialog.target.status?.id, dialog.target.params]).toEqual(['other.example.org', { folder: '/srv/other', keys: '/media/keys', days: null }]);
    for (const { folder } of dialog.target.recent.list) dialog.target.recent.remove(folder);
    await flushPromises();
    expect(core.settings[RECENT]).toBeNull();
  });

  it('keeps at most five in the list, and ignores a setting that it can’t read', async () => {
    await start();
    for (let count = 0; count < 7; count += 1) {
      core.publishing.addRegistry(`/srv/${count}`, `r${count}.example.org`);
      await dialog.target.choose(`/srv/${count}`);
    }
    expect(dialog.target.recent.list.map(({ folder }) => folder)).toEqual(['/srv/6', '/srv/5', '/srv/4', '/srv/3', '/srv/2']);
    app.settings.set(RECENT, [{ folder: 7 }, 'x', null, { folder: '/a', title: 'A' }]);
    expect(dialog.target.recent.list).toEqual([{ folder: '/a', title: 'A', keys: '' }]);
  });

  it('that isn’t one is refused, and what was typed stays', async () => {
    await start();
    dialog.target.type('/home/ada/notes');
    await submit();
    expect([dialog.step, dialog.target.status, dialog.target.folder, dialog.target.call.failure?.code]).toEqual(['registry', null, '/home/ada/notes', 'notFound']);
    dialog.target.type('/home/ada/note');
    expect(dialog.target.call.failure).toBeNull();
  });

  it('drops the reply for a folder that was typed over', async () => {
    await start();
    core.hold('publish/status');
    void dialog.target.choose(FOLDER);
    await flushPromises();
    dialog.target.type('/elsewhere');
    core.release('publish/status');
    await flushPromises();
    expect(dialog.target.status).toBeNull();
  });

  it('is read once at a time', async () => {
    await start();
    dialog.target.type(FOLDER);
    core.hold('publish/status');
    void dialog.submit();
    await flushPromises();
    await submit();
    core.release('publish/status');
    await flushPromises();
    expect([dialog.target.status?.id, core.callsOf('publish/status')]).toEqual(['skills.example.org', [{ folder: FOLDER }]]);
  });

  it('is renewed before it expires, with its keys', async () => {
    const registry = core.publishing.registries.get(FOLDER);
    if (registry) registry.expires = core.now + 86_400_000;
    await start();
    await dialog.target.choose(FOLDER);
    expect([dialog.target.status?.refresh_due, dialog.target.status?.expired]).toEqual([true, false]);
    dialog.target.keys = '/media/empty';
    await dialog.target.renew();
    expect([dialog.target.call.failure?.hint, dialog.target.status?.refresh_due]).toEqual(["choose the folder with the registry's keys", true]);
    dialog.target.keys = '';
    dialog.target.days = '60';
    await dialog.target.renew();
    expect([dialog.target.call.failure, dialog.target.status?.refresh_due, dialog.target.status?.serial]).toEqual([null, false, 2]);
    expect(core.callsOf('publish/refresh').at(-1)).toEqual({ target: { folder: FOLDER, keys: null, days: 60 } });
  });

  it('needs valid days', async () => {
    await start();
    await dialog.target.choose(FOLDER);
    for (const days of ['0', '366', 'x', '1.5', '-1']) {
      dialog.target.days = days;
      await submit();
      expect([days, dialog.target.areDaysValid, dialog.step]).toEqual([days, false, 'registry']);
    }
    dialog.target.days = ' 365 ';
    await submit();
    expect(dialog.step).toBe('skills');
  });
});

describe('a new registry', () => {
  beforeEach(async () => {
    await start();
    dialog.target.type('~/new');
    dialog.create();
  });

  it('is created in the typed folder, shown with its fingerprint and keys, and used', async () => {
    const { creation } = dialog;
    expect([creation.fields.folder, creation.canCreate]).toEqual(['~/new', false]);
    Object.assign(creation.fields, { id: ' new.example.org ', title: 'New skills' });
    await submit();
    expect(core.callsOf('publish/create')).toEqual([{ target: { folder: '/home/ada/new', keys: null }, id: 'new.example.org', title: 'New skills', publisher: null }]);
    expect([dialog.step, creation.created?.fingerprint, creation.created?.keys.folder]).toEqual(['create', expect.stringMatching(/^[0-9a-f]{64}$/), '/home/ada/.inklings/registry-keys/new.example.org']);
    await submit();
    expect([dialog.step, dialog.target.status?.title, dialog.target.keys]).toEqual(['skills', 'New skills', '']);
    expect(dialog.target.recent.list[0]?.folder).toBe('/home/ada/new');
  });

  it('is signed with the keys of the chosen folder from then on', async () => {
    Object.assign(dialog.creation.fields, { id: 'new.example.org', title: 'New skills', publisher: 'Ada', keys: '~/keys' });
    await submit();
    await submit();
    expect([dialog.target.params.keys, dialog.target.status?.publishers[0]?.name]).toEqual(['/home/ada/keys', 'Ada']);
  });

  it('that can’t be created keeps the fields', async () => {
    Object.assign(dialog.creation.fields, { folder: '/home/ada/notes', id: 'new.example.org', title: 'New skills' });
    await submit();
    expect([dialog.creation.call.failure?.hint, dialog.creation.fields.title, dialog.creation.created]).toEqual(['choose another folder', 'New skills', null]);
    Object.assign(dialog.creation.fields, { folder: '~/new', id: 'New Skills' });
    await submit();
    expect(dialog.creation.call.failure?.message).toBe('"New Skills" isn\'t a registry ID');
    dialog.back();
    expect(dialog.step).toBe('registry');
  });
});

describe('the skills', () => {
  it('are those of the user, the chosen ones first', async () => {
    await start([skill('timeline-builder')]);
    const { choice } = dialog;
    expect(choice.all.map(({ slug }) => slug)).not.toContain('consistency-checker');
    expect([choice.rows[0]?.slug, choice.chosen.map(({ slug }) => slug)]).toEqual(['timeline-builder', ['timeline-builder']]);
    choice.query = 'rel not';
    expect(choice.rows.map(({ slug }) => slug)).toEqual(['release-notes']);
    choice.toggle(skill(), true);
    choice.toggle(skill('timeline-builder'), false);
    expect(choice.chosen.map(({ slug }) => slug)).toEqual(['release-notes']);
  });

  it('are at most a hundred in the list', async () => {
    for (let count = 0; count < 120; count += 1) core.add({ scope: 'account', slug: `many-${count}`, name: `Many ${count}`, description: 'd', files: {} });
    await app.catalog.reload();
    await start();
    expect([dialog.choice.rows.length, dialog.choice.rows.length + dialog.choice.more]).toEqual([100, dialog.choice.all.length]);
  });

  it('that are locked aren’t chosen, and without any there is no next step', async () => {
    await start([skill('consistency-checker')]);
    await dialog.target.choose(FOLDER);
    await submit();
    await submit();
    expect([dialog.choice.chosen, dialog.step]).toEqual([[], 'skills']);
  });
});

describe('the review', () => {
  it('of a new skill publishes the written version', async () => {
    await review();
    expect([row().skill.state, row().version, row().changelog]).toEqual(['new', '1.0.0', '']);
    await submit();
    expect([dialog.step, dialog.release.report?.released]).toEqual(['done', [{ slug: 'release-notes', version: '1.0.0', revision: 2 }]]);
    expect([published(), dialog.target.status?.skills, dialog.release.titleOf('release-notes')]).toEqual([['1.0.0'], 1, 'Release notes']);
    expect(core.callsOf('publish/release')).toEqual([{ target: { folder: FOLDER, keys: null, days: null }, skills: [{ skill: skill().id, scope: 'account', version: '1.0.0', changelog: null }] }]);
    await submit();
    expect(dialog.step).toBeNull();
  });

  it('of an update proposes the next version and a text for the changelog, which can be changed', async () => {
    await publishFirst();
    write('references/tone.md', 'Plain words.\n');
    await settled();
    await review();
    expect([row().skill.state, row().version, row().changelog, row().problem]).toEqual(['update', '1.1.0', '- Adds the file references/tone.md.\n', null]);
    dialog.release.edit(row(), { version: '7.0.0' });
    dialog.close();
    await review();
    expect(row().version).toBe('1.1.0');
    dialog.release.edit(row(), { version: ' 1.2.0 ' });
    dialog.release.edit(row(), { changelog: '- Says how to write.' });
    await submit();
    expect([dialog.step, published()]).toEqual(['done', ['1.0.0', '1.2.0']]);
    expect([skill().version, core.find('release-notes').files.get('CHANGELOG.md')?.text]).toEqual(['1.2.0', '# Changelog\n\n## 1.2.0\n\n- Says how to write.\n']);
  });

  it('refuses a version that isn’t one or was published, and warns of one that looks compatible', async () => {
    core.publishing.permissions.set('release-notes', ['network']);
    await publishFirst();
    core.publishing.permissions.set('release-notes', []);
    write('references/tone.md', 'Plain words.\n');
    await settled();
    await review();
    expect([row().version, row().skill.permissions_lost]).toEqual(['2.0.0', ['network']]);
    const about = (version: string): (string | null)[] => {
      dialog.release.edit(row(), { version });
      return [row().problem, row().warning, dialog.release.obstacle];
    };
    expect(about('')).toEqual(['Enter a version.', null, 'Correct the version of Release notes.']);
    expect(about('1.2')).toEqual(['“1.2” isn’t a semantic version. Use a version such as 1.2.0.', null, 'Correct the version of Release notes.']);
    expect(about('1.0.0')[0]).toBe('1.0.0 was published before. Use a higher version.');
    expect(about('1.1.0')).toEqual([null, '1.1.0 looks compatible, but it no longer requires the permission network. Use 2.0.0.', null]);
    expect(about('0.9.0')).toEqual([null, '0.9.0 is lower than 1.0.0, which is published.', null]);
    expect(about('3.0.0')).toEqual([null, null, null]);
    dialog.release.edit(row(), { version: 'x' });
    await submit();
    expect([dialog.step, core.callsOf('publish/release')]).toEqual(['review', [expect.anything()]]);
  });

  it('of a skill that is published has nothing to do, and leaves it out of a release with others', async () => {
    await publishFirst();
    await review();
    expect([row().skill.state, dialog.release.obstacle]).toEqual(['unchanged', 'These versions are published already.']);
    await review([skill(), skill('timeline-builder')]);
    expect(dialog.release.obstacle).toBeNull();
    await submit();
    expect([dialog.release.report?.released.map(({ slug }) => slug), dialog.release.report?.unchanged]).toEqual([['timeline-builder'], 1]);
  });

  it('of a skill with errors says so, opens the file, and goes on after it was saved', async () => {
    write('SKILL.md', '---\nname: release-notes\n---\n');
    await settled();
    await review([skill(), skill('timeline-builder')]);
    dialog.release.edit(row('timeline-builder'), { version: '4.0.0' });
    expect([row().skill.state, row().errors.map(({ rule }) => rule), dialog.release.obstacle]).toEqual(['blocked', ['frontmatter/description'], 'Release notes can’t be published. Fix its errors, or go back and deselect it.']);
    const [error] = row().errors;
    if (error) dialog.showFile(skill(), error);
    await flushPromises();
    expect([app.publishing.isOpen, app.tabs.document?.file.path]).toEqual([false, 'SKILL.md']);
    write('SKILL.md', MAIN);
    await settled();
    const toast = app.toasts.list.find(({ message }) => message === 'Publishing is paused');
    if (toast?.actions[0]) app.toasts.act(toast, toast.actions[0]);
    await flushPromises();
    expect([dialog.step, row().skill.state, row('timeline-builder').version, dialog.release.obstacle]).toEqual(['review', 'new', '4.0.0', null]);
  });

  it('is continued by the command, and begins anew with another skill', async () => {
    await review();
    dialog.showFile(skill(), { file: null, line: null, column: null });
    app.files.open(skill('consistency-checker'), 'SKILL.md');
    app.commands.run('skill.publish');
    await flushPromises();
    expect(dialog.step).toBe('review');
    dialog.showFile(skill(), { file: null, line: null, column: null });
    await start([skill('timeline-builder')]);
    expect([dialog.step, dialog.release.plan, dialog.choice.chosen.map(({ slug }) => slug)]).toEqual(['registry', null, ['timeline-builder']]);
  });

  it('compares again if a skill was changed after it was reviewed', async () => {
    await review();
    dialog.release.edit(row(), { version: '5.0.0' });
    write('references/late.md', 'Later.\n');
    await settled();
    await submit();
    expect([dialog.step, dialog.release.isReplanned, row().version, published()]).toEqual(['review', true, '5.0.0', []]);
    await submit();
    expect([dialog.step, published()]).toEqual(['done', ['5.0.0']]);
  });

  it('that fails can be tried again', async () => {
    core.failing.set('publish/plan', fail('busy', 'another process is changing the registry', { hint: 'try again later' }));
    await review();
    expect([dialog.step, dialog.release.plan, dialog.release.call.failure?.hint]).toEqual(['review', null, 'try again later']);
    core.failing.clear();
    await submit();
    expect([dialog.release.call.failure, row().skill.state]).toEqual([null, 'new']);
  });
});

describe('publishing', () => {
  it('that fails loses nothing, and can be tried with other keys', async () => {
    await review();
    dialog.release.edit(row(), { version: '1.5.0', changelog: '- First.' });
    dialog.target.keys = '/media/missing';
    await submit();
    expect([dialog.step, dialog.release.call.failure?.hint, row().version, row().changelog]).toEqual(['review', "choose the folder with the registry's keys", '1.5.0', '- First.']);
    dialog.target.keys = '';
    await submit();
    expect([dialog.step, published()]).toEqual(['done', ['1.5.0']]);
  });

  it('is tried again after the versions were written to the skills', async () => {
    await review();
    dialog.release.edit(row(), { version: '1.5.0' });
    core.publishing.isDiskFull = true;
    await submit();
    expect([dialog.step, dialog.release.call.failure?.code, skill().version, published()]).toEqual(['review', 'io', '1.5.0', []]);
    core.publishing.isDiskFull = false;
    await submit();
    expect([dialog.step, published()]).toEqual(['done', ['1.5.0']]);
  });

  it('shows how far it is, and is canceled', async () => {
    await review();
    core.hold('publish/release');
    const running = dialog.submit();
    await flushPromises();
    core.far('publish/release', 1, 4);
    expect([dialog.isBusy, dialog.release.call.fraction]).toEqual([true, 0.25]);
    expect(app.tasks.list.some(({ title }) => title === 'Publish 1 skill')).toBe(true);
    await submit();
    dialog.release.call.cancel();
    core.release('publish/release');
    await running;
    expect([dialog.step, dialog.release.call.failure?.code, dialog.release.report, published()]).toEqual(['review', 'cancelled', null, []]);
    expect(core.callsOf('publish/release')).toHaveLength(1);
  });

  it('is canceled before it began', async () => {
    await review();
    core.hold('skill/tree');
    const running = dialog.submit();
    await flushPromises();
    dialog.release.call.cancel();
    core.release('skill/tree');
    await running;
    expect([dialog.isBusy, dialog.step, core.callsOf('publish/release')]).toEqual([false, 'review', []]);
    await submit();
    expect(dialog.step).toBe('done');
  });

  it('lists the errors of a skill that was broken meanwhile', async () => {
    await review();
    core.find('release-notes').files.set('SKILL.md', { text: 'x', role: 'main' });
    await submit();
    expect(dialog.release.call.failure).toMatchObject({ message: "1 of 1 skills can't be published", fields: { diagnostics: [{ file: 'release-notes/SKILL.md' }] } });
  });

  it('is closed with the workspace', async () => {
    await review();
    await app.workspace.open('/home/ada/notes');
    expect(app.publishing.isOpen).toBe(false);
  });
});

it('begins with the skill that is open, unless it is locked', async () => {
  const chosen = async (slug: string): Promise<string[] | undefined> => {
    app.files.open(skill(slug), 'SKILL.md');
    await flushPromises();
    app.commands.run('skill.publish');
    await flushPromises();
    const slugs = app.publishing.dialog?.choice.chosen.map((one) => one.slug);
    app.publishing.dialog?.close();
    return slugs;
  };
  expect(await chosen('release-notes')).toEqual(['release-notes']);
  expect(await chosen('consistency-checker')).toEqual([]);
});
