import { beforeEach, expect, it, vi } from 'vitest';
import { FakeCore, fail } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import type { RunEvent } from '$lib/api/generated';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let core: FakeCore;
let app: Services;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  core.runs.addProvider();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

const list = (): string[] => app.tasks.list.map(({ title, subject, state, note }) => [title, subject, state, note].filter(Boolean).join(' | '));

/** Starts a run whose answer is held back. */
async function begin(): Promise<string> {
  core.hold('run/start');
  const { id, scope } = core.find('consistency-checker').summary;
  const run = crypto.randomUUID();
  app.client.call('run/start', { run, skill: id, scope, artifact: 'prompts/check-prompt.j2', params: { entity_name: 'Aria', claims: 'x' } }).catch(() => undefined);
  await flushPromises();
  return run;
}

it('lists a run with how far it is, and what it cost', async () => {
  const run = await begin();
  expect(list()).toEqual(['Run prompts/check-prompt.j2 | Consistency Checker | running']);
  core.runs.tell({ run, kind: 'progress', fraction: 0.25, text: 'one of four', trace: 't' } as unknown as RunEvent);
  expect(app.tasks.list[0]).toMatchObject({ fraction: 0.25, note: 'one of four' });
  core.release('run/start');
  await flushPromises();
  expect(list()[0]).toMatch(/\| done \| .*\$0\.00/);
  expect(app.tasks.running).toEqual([]);
});

it('stops a run, and says so', async () => {
  const run = await begin();
  app.tasks.list[0]?.cancel?.();
  await flushPromises();
  expect(app.tasks.list[0]?.state).toBe('canceling');
  expect(core.callsOf('run/cancel')).toEqual([{ run }]);
  core.release('run/start');
  await flushPromises();
  expect(app.tasks.list[0]?.state).toBe('canceled');
});

it('says why something failed, and does it again', async () => {
  core.failing.set('skill/export', fail('readOnly', 'the folder can’t be written', { hint: 'Choose another one' }));
  await app.exporter.start([core.find('timeline-builder').summary]);
  await app.exporter.write('/tmp');
  await flushPromises();
  const [failed] = app.tasks.list;
  expect(failed).toMatchObject({ title: 'Export 1 skill', state: 'failed', failure: { hint: 'Choose another one' } });
  core.failing.clear();
  failed?.retry?.();
  await flushPromises();
  expect(list().map((one) => one.split(' | ')[2])).toEqual(['done', 'failed']);
  app.tasks.clear();
  expect(app.tasks.list).toEqual([]);
});

it('asks again for the gates of a repeated run, and doesn’t list what they refused', async () => {
  core.runs.gates = [{ key: 'figures', label: 'The figures are right' }];
  const { id, scope } = core.find('consistency-checker').summary;
  const params = { skill: id, scope, artifact: 'prompts/check-prompt.j2', params: { entity_name: 'Aria', claims: 'x' } };
  await app.client.call('run/start', params).catch(() => undefined);
  expect(list()).toEqual([]);
  core.failing.set('run/start', fail('model', 'the model is overloaded'));
  await app.client.call('run/start', { ...params, run: 'r', approve: ['figures'] }).catch(() => undefined);
  core.failing.clear();
  app.tasks.list[0]?.retry?.();
  await flushPromises();
  expect(app.gateApproval.gates).toEqual(core.runs.gates);
  app.gateApproval.approve();
  await flushPromises();
  expect(list().map((one) => one.split(' | ')[2])).toEqual(['done', 'failed']);
  expect(core.callsOf('run/start').map(({ approve }) => approve)).toEqual([undefined, ['figures'], [], ['figures']]);
});

it('doesn’t list a run that lacks values', async () => {
  const { id, scope } = core.find('consistency-checker').summary;
  const missing = [{ variable: 'claims', wanted_by: ['prompts/check-prompt.j2'] }];
  core.failing.set('run/start', fail('invalid', 'claims is missing', { fields: { missing } }));
  await app.client.call('run/start', { skill: id, scope, artifact: 'prompts/check-prompt.j2', params: {} }).catch(() => undefined);
  await flushPromises();
  expect(list()).toEqual([]);
});

it('lists an import that was asked for, not a look at what it would do', async () => {
  await app.importer.start(['/home/ada/.claude/skills'], 'account');
  expect(list()).toEqual([]);
  await app.importer.apply();
  await flushPromises();
  expect(list()).toEqual(['Import skills | /home/ada/.claude/skills | done | 2 of 3 skills, 1 failed']);
});

it('shows how far an import is, and stops it with what was done until then', async () => {
  await app.importer.start(['/home/ada/.claude/skills'], 'account');
  core.hold('skill/import');
  const applied = app.importer.apply();
  await flushPromises();
  core.far('skill/import', 1, 4);
  expect(app.tasks.list[0]).toMatchObject({ state: 'running', fraction: 0.25, note: '1 of 4' });
  app.tasks.list[0]?.cancel?.();
  expect(core.stops).toBe(1);
  core.release('skill/import');
  await applied;
  await flushPromises();
  expect(list()).toEqual(['Import skills | /home/ada/.claude/skills | canceled | 1 of 3 skills']);
});

it('says that an import was done when the stop came too late', async () => {
  await app.client.call('skill/import', { paths: ['/a'] });
  await flushPromises();
  app.tasks.list[0]?.cancel?.();
  expect(list()).toEqual(['Import skills | /a | done | 2 of 3 skills, 1 failed']);
});

it('lists the reading of the pages as long as it goes on', async () => {
  core.pages.status = { ...core.pages.status, progress: { done: 30, total: 120 } };
  await app.client.call('page/status', {});
  await flushPromises();
  expect(list()).toEqual(['Index pages | running | 30 of 120']);
  core.pages.status = { ...core.pages.status, pages: 120, progress: null };
  await app.client.call('page/status', {});
  await flushPromises();
  expect(list()).toEqual(['Index pages | done | 120 pages']);
});

it('leaves out what is short', async () => {
  await app.client.call('page/refresh', {});
  await flushPromises();
  expect(list()).toEqual([]);
  core.hold('page/refresh');
  const call = app.client.call('page/refresh', {});
  await vi.advanceTimersByTimeAsync(700);
  expect(list()).toEqual(['Refresh pages | running']);
  core.release('page/refresh');
  await call;
  await flushPromises();
  expect(list()).toEqual(['Refresh pages | done | 0 changes']);
});

it('keeps the last hundred that ended', () => {
  for (let index = 0; index < 120; index += 1) app.tasks.begin({ title: `Do ${index}` }).done();
  const running = app.tasks.begin({ title: 'Go on' });
  expect(app.tasks.list).toHaveLength(101);
  expect(app.tasks.list[0]).toBe(running.task);
  app.tasks.clear();
  expect(app.tasks.list).toEqual([running.task]);
});
