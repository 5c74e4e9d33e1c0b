import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from '../harness/registry.mjs';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

const BODY = 'List what users notice first.\n\nKeep it short.\n\n## Tone\n\nPlain words.\n';
const README = '# Release notes\n\nWrites notes that users read.\n\nSee [the script](scripts/collect.sh).\n';
const SCRIPT = { 'README.md': README, 'scripts/collect.sh': '#!/bin/sh\ngit log --oneline\n' };
/** Updates wait, so that they can be seen. */
const MANUAL = '{"update_automatically": false, "sync_on_launch": false}';

/** @param {string} slug @param {string} [more] */
const offered = (slug, more = '') => `[data-testid="marketplace-skill"][data-slug="${slug}"]${more}`;
/** @param {string} slug @param {string} [status] */
const installed = (slug, status) => `[data-testid="installed-skill"][data-slug="${slug}"]${status ? `[data-status="${status}"]` : ''}`;

/** By keyboard, with the fingerprint from another source. @param {Studio} studio @param {Registry} registry */
async function addRegistry(studio, registry) {
  await studio.run('Add registry');
  await studio.focused('registry-address');
  await studio.type(registry.folder);
  await studio.press('Enter');
  await studio.one('registry-fingerprint');
  await studio.pictures('registry-fingerprint');
  await studio.click(await studio.one('expected-fingerprint'));
  await studio.paste(registry.fingerprint);
  await studio.press('Enter');
  await studio.absent('add-registry');
}

/** @param {Studio} studio */
const slugs = (studio) => studio.browser.execute(() => [...document.querySelectorAll('[data-testid="marketplace-skill"]')].map((one) => one.getAttribute('data-slug')));

/** @param {Studio} studio @param {string[]} wanted */
const offers = (studio, wanted) => until(async () => JSON.stringify(await slugs(studio)) === JSON.stringify(wanted), async () => `${wanted} to be offered, not ${await slugs(studio)}`);

test('a skill is found, read, installed with consent, opened, updated and rolled back', onMachine(async (machine) => {
  const registry = await Registry.create(machine);
  await registry.publish('release-notes', { version: '1.0.0', title: 'Release notes', body: BODY, files: SCRIPT });
  await registry.publish('press-review', { version: '1.0.0', title: 'Press review', body: 'Read the press.\n' });
  await machine.command.json('settings', 'set', 'marketplace', MANUAL);
  const studio = await machine.start();

  await studio.run('Show marketplace');
  await studio.one('no-registry');
  await studio.pictures('marketplace-no-registry');
  await addRegistry(studio, registry);
  await studio.find(offered('release-notes'));
  await studio.pictures('marketplace-browse');

  await studio.press('Ctrl+F');
  await studio.focused('marketplace-search');
  await studio.type('press');
  await offers(studio, ['press-review']);
  await studio.type('xyz');
  await studio.one('marketplace-empty');
  await studio.pictures('marketplace-nothing-found');
  await studio.press('Escape');
  await offers(studio, ['press-review', 'release-notes']);
  await studio.press('Down');
  await studio.focused('marketplace-list');
  await studio.press('Down');
  await studio.press('Enter');

  // Its page: readme, files, permissions.
  await until(async () => (await studio.words('[data-testid="marketplace-readme"]')).includes('Writes notes that users read.'), 'the readme');
  await studio.find('[data-permission="native-scripts"]');
  await studio.pictures('marketplace-page');
  await studio.click(await studio.find('[data-testid="marketplace-page"] [role=tab][data-value="files"]'));
  await studio.click(await studio.find('[data-testid="marketplace-file"][data-path="scripts/collect.sh"]'));
  await until(async () => (await studio.words('[data-testid="marketplace-text"]')).includes('git log --oneline'), 'the script');
  await studio.pictures('marketplace-files');

  await studio.button('Install', '[data-testid="marketplace-page"] header');
  await studio.one('consent');
  await studio.pictures('marketplace-consent');
  await studio.press('Escape');
  await studio.absent('consent');
  assert.equal((await studio.call('marketplace/installed', {})).skills.length, 0);
  await studio.button('Install', '[data-testid="marketplace-page"] header');
  await studio.button('Allow and install', '[data-testid="consent"]');
  await until(async () => (await studio.call('marketplace/installed', {})).skills.length === 1, 'the installation');
  await studio.button('Open', '[data-testid="marketplace-page"] header');
  await studio.one('tab', '[aria-selected="true"]');
  await until(async () => (await studio.text()).includes('List what users notice first.'), 'the instructions in the editor');

  // A new version: compared, then installed.
  await registry.publish('release-notes', { version: '1.1.0', title: 'Release notes', body: BODY.replace('Keep it short.', 'Keep it short and dated.'), files: SCRIPT });
  await studio.run('Sync registries');
  await studio.run('Show installed skills');
  await studio.find(installed('release-notes', 'update'));
  await studio.shows('marketplace-badge', '1');
  await studio.clearToasts();
  await studio.pictures('marketplace-updates');
  await studio.click(await studio.find(`${installed('release-notes')} [data-row-title]`));
  await studio.click(await studio.find('[data-testid="marketplace-page"] [role=tab][data-value="versions"]'));
  await studio.find('[data-testid="marketplace-version"][data-version="1.1.0"]');
  await studio.pictures('marketplace-versions');
  await studio.button('Compare', '[data-testid="marketplace-versions"]');
  await until(async () => (await studio.words('main, [data-region="editor"]')).includes('Keep it short and dated.'), 'the comparison');
  await studio.pictures('marketplace-comparison');
  await studio.run('Show installed skills');
  await studio.button('Update', installed('release-notes'));
  await studio.find(installed('release-notes', 'current'));
  await studio.absent('marketplace-badge');
  assert.equal((await machine.command.json('skill', 'show', 'release-notes')).version, '1.1.0');

  await studio.click(await studio.find(`${installed('release-notes')} [aria-haspopup="menu"]`));
  await studio.pictures('marketplace-actions');
  await studio.press('Escape');
  await studio.run('Show marketplace');
  await studio.click(await studio.find(`${installed('release-notes')} [data-row-title]`));
  await studio.run('Roll back skill');
  await until(async () => (await machine.command.json('skill', 'show', 'release-notes')).version === '1.0.0', 'the version before');
  await studio.run('Back to marketplace');
  await until(async () => (await studio.words(installed('release-notes'))).includes('Pinned'), 'the pin');

  // A revoked version is flagged with the reason.
  await registry.revoke('release-notes', '1.0.0', 'Sends files to a server');
  await studio.run('Sync registries');
  await studio.find(installed('release-notes', 'revoked'));
  await until(async () => (await studio.words(installed('release-notes'))).includes('Sends files to a server'), 'the reason');
  await studio.clearToasts();
  await studio.pictures('marketplace-revoked');
  await studio.button('Remove', installed('release-notes'));
  await studio.one('installed-empty');
  await studio.pictures('marketplace-none-installed');
}));

test('an update is merged into a changed copy, and the conflict is resolved in the review', onMachine(async (machine) => {
  const registry = await Registry.create(machine);
  await registry.publish('release-notes', { version: '1.0.0', title: 'Release notes', body: BODY });
  await machine.command.json('settings', 'set', 'marketplace', MANUAL);
  const studio = await machine.start();
  await addRegistry(studio, registry);
  await studio.call('marketplace/install', { id: 'release-notes' });
  const copy = await studio.call('skill/fork', { skill: 'release-notes' });
  const text = (await machine.command.json('skill', 'show', copy.slug, '--path', 'SKILL.md')).text.replace('Keep it short.', 'Keep it to one page.');
  await studio.call('skill/edit', { skill: copy.id, scope: copy.scope, expected: copy.revision, changes: [{ op: 'write', path: 'SKILL.md', text }] });
  await registry.publish('release-notes', { version: '1.1.0', title: 'Release notes', body: BODY.replace('Keep it short.', 'Keep it short and dated.').replace('Plain words.', 'Plain words, no marketing.') });
  await studio.run('Sync registries');
  await studio.run('Show installed skills');
  await studio.button('Update', installed('release-notes'));
  const fork = `[data-testid="outdated-fork"][data-slug="${copy.slug}"]`;
  await studio.find(fork);
  await studio.clearToasts();
  await studio.pictures('marketplace-forks');
  await studio.button('Merge update', fork);
  await studio.one('proposal-conflicts');
  await until(async () => (await studio.words('[data-testid="proposal"] .cm-editor')) !== '', 'the review');
  await studio.pictures('marketplace-merge');
  // The text of the proposal is on the right.
  const resolved = text.replace('Keep it to one page.', 'Keep it to one dated page.').replace('Plain words.', 'Plain words, no marketing.');
  await studio.click(await studio.find('[data-testid="proposal"] .cm-merge-b .cm-content'));
  await studio.press('Ctrl+A');
  await studio.paste(resolved);
  await studio.absent('proposal-conflicts');
  await studio.button('Accept', '[data-testid="proposal"]');
  await studio.find('[data-testid="decided"]');
  const merged = (await machine.command.json('skill', 'show', copy.slug, '--path', 'SKILL.md')).text;
  assert.match(merged, /Keep it to one dated page\./);
  assert.match(merged, /no marketing/);
  await studio.run('Show installed skills');
  await until(async () => (await studio.count(fork)) === 0, 'the copy to be current');
}));

test('without its registry, the marketplace shows what was synced last', onMachine(async (machine) => {
  const registry = await Registry.create(machine);
  await registry.publish('press-review', { version: '1.0.0', title: 'Press review', body: 'Read the press.\n' });
  const first = await machine.start();
  await addRegistry(first, registry);
  await first.window.close();
  await registry.unplug();
  const studio = await machine.start();
  await studio.run('Show marketplace');
  await studio.find(offered('press-review'));
  await studio.run('Sync registries');
  await studio.find('[data-testid="offline"], [data-testid="sync-failed"]');
  await studio.find(offered('press-review'));
  await studio.clearToasts();
  await studio.pictures('marketplace-offline');
  await studio.run('Manage registries');
  await studio.find('[data-testid="registry"]');
  await studio.pictures('marketplace-registries');
  await registry.plugIn();
  await studio.button('Sync now', '[data-testid="registries"]');
  await studio.run('Show marketplace');
  await until(async () => (await studio.count('[data-testid="offline"], [data-testid="sync-failed"]')) === 0, 'the notice to be gone');
}));
