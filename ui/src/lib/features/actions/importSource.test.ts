import { beforeEach, expect, it } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { Importer } from './importer.svelte';
import { ImportSource } from './importSource.svelte';

const URL = 'https://example.org/team/skills';
let b: Bench;
let importer: Importer;
let source: ImportSource;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  importer = new Importer(b.client, b.catalog);
  source = new ImportSource(b.client, importer, () => 'account');
});

it('previews and imports what a repository contains, with where it is from', async () => {
  source.choose();
  source.address = ` ${URL} `;
  source.branch = 'main';
  await source.fetch();
  expect(b.core.callsOf('import/fetch')).toEqual([{ address: URL, branch: 'main', folder: null }]);
  expect([source.open, source.address]).toEqual([false, '']);
  expect(importer.items?.length).toBeGreaterThan(0);
  await importer.apply();
  const sent = b.core.callsOf('skill/import').at(-1);
  expect(sent).toMatchObject({ dry_run: false, scope: 'account', repositories: [{ source: { url: URL, branch: 'main' } }] });
  await importer.start(['/home/ada/skills'], 'account');
  expect(Object.keys(b.core.callsOf('skill/import').at(-1) ?? {}).sort()).toEqual(['dry_run', 'paths', 'scope']);
});

it('keeps the address of a repository that can’t be fetched', async () => {
  b.core.imports.unreachable = fail('notFound', 'git: repository not found');
  source.choose();
  source.address = URL;
  await source.fetch();
  expect([source.open, source.address, source.call.failure?.message]).toEqual([true, URL, 'git: repository not found']);
  expect(importer.paths).toBeNull();
});

it('updates a skill from its folder in the repository, or from its path', async () => {
  const skill = { scope: 'workspace', id: 's' } as const;
  b.core.imports.from = { skill: 's', scope: 'workspace', repository: { url: URL, branch: null, commit: 'a'.repeat(40), folder: 'skills/pdf' }, name: `${URL} (skills/pdf)` };
  expect(await source.update(skill, 'PDF')).toBeNull();
  expect(source.updated).toBe('PDF');
  await flushPromises();
  expect(b.core.callsOf('import/fetch')).toEqual([{ address: URL, branch: null, folder: 'skills/pdf' }]);
  expect([importer.options.scope, importer.paths?.[0]?.endsWith('/skills/pdf')]).toEqual(['workspace', true]);
  expect(b.core.callsOf('skill/import').at(-1)).toMatchObject({ updates: 's' });
  b.core.imports.from = { skill: 's', scope: 'workspace', repository: null, name: '/home/ada/desk.skill' };
  await source.update(skill, 'PDF');
  expect(importer.paths).toEqual(['/home/ada/desk.skill']);
  b.core.imports.from = null;
  expect((await source.update(skill, 'PDF'))?.code).toBe('notFound');
});
