import { previewTarget } from '$lib/features/inspector';
import { beforeEach, expect, it } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import type { Symbols } from '$lib/api/generated';
import { createApp } from '$lib/app/createApp';
import { SymbolsViewModel } from './symbolsViewModel.svelte';

const POSITION = { line: 1, column: 1, end_line: 1, end_column: 12, before: '', text: 'entity_name', after: '' };
const NAMED: Symbols.SymbolInformation = { symbol: { kind: 'variable', name: 'entity_name' }, location: POSITION, title: 'entity_name', about: '', facts: [], targets: [], renames: true };

beforeEach(fakeTimers);

it('stores typed values before it renames a variable, so that they get the new name too', async () => {
  const core = new FakeCore();
  const app = createApp(core);
  await app.lifecycle.start();
  const { id } = core.find('consistency-checker').summary;
  app.files.open({ scope: 'account', id }, 'prompts/check-prompt.j2');
  await flushPromises();
  await app.preview.follow(previewTarget(app.tabs.document));
  await flushPromises();
  const variable = app.preview.form.fields.variables.find(({ name }) => name === 'entity_name');
  if (!variable) throw new Error('the template asks for no entity_name');

  app.preview.form.fields.set(variable, 'Aria');
  core.hold('input/save');
  const view = new SymbolsViewModel(app);
  view.renaming.start({ scope: 'account', id }, NAMED, { left: 0, top: 0, bottom: 0 });
  view.renaming.type('subject');
  const applied = view.renaming.apply();
  await flushPromises();
  expect(core.callsOf('input/save')).toMatchObject([{ params: { entity_name: 'Aria' } }]);
  expect(core.callsOf('symbol/rename')).toEqual([]);

  core.release('input/save');
  await applied;
  expect(core.callsOf('symbol/rename')).toMatchObject([{ to: 'subject' }]);
});
