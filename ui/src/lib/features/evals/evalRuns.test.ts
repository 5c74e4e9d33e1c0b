import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';
import type { EvalsViewModel } from './evalsViewModel.svelte';
import { LastEval } from './lastEval.svelte';
import { NEW_CHOICE, paramsOf, problemOf, type RunChoice } from './runChoice';
import { pairOf } from './matrix';
import { modelChoices } from './modelChoices';

const SKILL = 'timeline-builder';
const ENTRIES = Array.from({ length: 8 }, (_, index) => ({ id: index + 1, prompt: `Order ${index + 1}`, tags: index < 2 ? ['short'] : [], assertions: ['Is in order'] }));

let core: FakeCore;
let app: Services;
let view: EvalsViewModel;

async function settled(): Promise<void> {
  await flushPromises();
  await vi.advanceTimersByTimeAsync(1_500);
  await flushPromises();
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  core.runs.addProvider();
  core.evals.seed(SKILL, [...ENTRIES, { id: 9, query: 'Sort my dates', should_trigger: true }]);
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
  await app.evals.open(undefined, core.find(SKILL).summary);
  if (!app.evals.view) throw new Error('no view');
  view = app.evals.view;
  await settled();
});

/** Runs what the dialog has. */
async function run(change: Partial<RunChoice> = {}): Promise<void> {
  view.setup.open(change);
  await app.evals.start();
  await settled();
}

const params = (change: Partial<RunChoice>, selected: string[] = []) => paramsOf({ ...NEW_CHOICE, ...change }, { id: 's', scope: 'account' }, selected, {});

describe('the choice', () => {
  it('becomes the parameters of a run', () => {
    expect(params({})).toEqual({ skill: 's', scope: 'account', models: [], revisions: [], without_baseline: false, repeat: 1, concurrency: 4, fresh: false, limits: {} });
    expect(params({ cases: 'tags', tags: ['a'], judge: 'a/j', model: 'a/x', repeat: ' 3', fresh: true })).toMatchObject({ tags: ['a'], judge: 'a/j', models: ['a/x'], repeat: 3, fresh: true });
    expect(params({ cases: 'selected' }, ['k'])).toMatchObject({ cases: ['k'] });
    expect(params({ cases: 'split', compare: 'none' })).toMatchObject({ split: 'validation', without_baseline: true });
    expect(params({ compare: 'revisions', revisions: [12, 3, 7] })).toMatchObject({ revisions: [3, 7, 12], without_baseline: false });
    expect(params({ compare: 'models', models: ['a/x', 'a/y'], model: 'a/z' })).toMatchObject({ models: ['a/x', 'a/y'], revisions: [], without_baseline: true });
  });

  it('says what is missing', () => {
    const problem = (change: Partial<RunChoice>, cases = 8): string => problemOf({ ...NEW_CHOICE, ...change }, cases);
    expect(problem({})).toBe('');
    expect(problem({}, 0)).toMatch('No task cases match');
    expect(problem({ cases: 'tags' })).toBe('Select a tag.');
    expect(problem({ compare: 'revisions', revisions: [1] })).toBe('Select two or more revisions.');
    expect(problem({ compare: 'models', models: ['a/x'] })).toBe('Select two or more models.');
    expect([problem({ repeat: '0' }), problem({ repeat: '1.5' }), problem({ concurrency: '33' })]).toEqual(['Repeat each case 1 to 100 times.', 'Repeat each case 1 to 100 times.', 'Run 1 to 32 at the same time.']);
  });

  it('begins with the selected cases, and knows models and revisions', async () => {
    view.table.selection.toggle('evals/evals.json#2');
    view.setup.open();
    await settled();
    expect([view.setup.choice.cases, view.setup.cases.length, view.setup.revisions.map((one) => one.number)]).toEqual(['selected', 1, [2, 1]]);
    expect(modelChoices(app.models)).toEqual(['claude/claude-sonnet', 'claude/claude-haiku', 'claude/claude-opus']);
    view.table.selection.clear();
    view.setup.open();
    expect(view.setup.choice.cases).toBe('all');
  });

  it('is estimated a moment after the last change', async () => {
    core.evals.cached = 8;
    view.setup.open();
    for (const repeat of ['1', '12', '2']) {
      view.setup.change({ repeat });
      view.setup.estimate.estimate(view.setup.params);
    }
    await settled();
    expect(core.callsOf('eval/estimate')).toHaveLength(1);
    expect(view.setup.estimate.value).toMatchObject({ cells: 32, cached: 8 });
    core.failing.set('eval/estimate', fail('noModel', 'no model is configured'));
    view.setup.estimate.estimate(view.setup.params);
    await settled();
    expect([view.setup.estimate.value, view.setup.estimate.failure?.code]).toEqual([null, 'noModel']);
  });

  it('has limits of its own, stored for each skill', async () => {
    view.setup.limits.set('cost', '0.5');
    await settled();
    expect([core.settings['eval.limits'], core.settings['run.limits']]).toEqual([{ [`account:${core.find(SKILL).summary.id}`]: { cost: 0.5 } }, undefined]);
    await run();
    expect(core.callsOf('eval/start')).toMatchObject([{ limits: { cost: 0.5 } }]);
  });
});

describe('a run', () => {
  it('shows its progress, can be canceled, and its report when it has ended', async () => {
    core.hold('eval/start');
    view.setup.open();
    const started = app.evals.start();
    await settled();
    expect([view.setup.isOpen, view.part, view.job.call.busy, app.tasks.list[0]?.title]).toEqual([false, 'runs', true, 'Run evals']);
    core.far('eval/start', 3, 16);
    expect([view.job.progress, view.job.call.fraction]).toEqual(['3 of 16 results', 3 / 16]);
    await app.evals.start();
    expect(core.callsOf('eval/start')).toHaveLength(1);
    app.commands.run('eval.cancel');
    expect([view.job.call.isCanceling, core.stops]).toEqual([true, 1]);
    core.release('eval/start');
    await started;
    await settled();
    expect([view.job.call.busy, view.runs.report.value?.run.status, view.runs.report.id]).toEqual([false, 'cancelled', view.job.info?.run]);
    await app.evals.resume(view.runs.report.id ?? '');
    await settled();
    expect(view.runs.report.value?.run.status).toBe('complete');
    expect(app.tasks.list.map(({ title, state, note }) => [title, state, note])).toEqual([['Resume evals', 'done', 'Complete, 100%'], ['Run evals', 'canceled', 'Canceled, 100%']]);
  });

  it('saves unsaved text of the skill first', async () => {
    const { StringBuffer } = await import('$lib/features/editor/document/buffer');
    app.files.open(core.find(SKILL).summary, 'SKILL.md');
    await flushPromises();
    app.tabs.document?.content.attach(new StringBuffer('Half a thought'));
    app.tabs.document?.content.edited();
    await run();
    expect([core.callsOf('skill/edit').length, app.tabs.document?.content.dirty]).toEqual([1, false]);
  });

  it('that is refused says why, and is started again once the workspace is trusted', async () => {
    core.failing.set('eval/start', fail('notTrusted', 'the workspace isn’t trusted'));
    await run();
    expect(view.job.call.failure?.code).toBe('notTrusted');
    core.failing.clear();
    await view.job.retry();
    await settled();
    expect([view.job.call.failure, view.runs.list?.length]).toEqual([null, 1]);
  });
});

describe('reports', () => {
  it('show the matrix, its regressions and the outputs of a cell', async () => {
    core.evals.passes = (key, revision) => (revision === null ? key.endsWith('#3') : !key.endsWith('#3'));
    await run();
    const { report } = view.runs;
    expect(report.value?.variants.map(({ label, rate }) => [label, rate?.rate])).toEqual([['without skill', 1 / 8], [`revision ${core.find(SKILL).summary.revision}`, 7 / 8]]);
    expect(report.rows).toHaveLength(8);
    report.filter = { regressions: true, failed: false };
    expect(report.rows.map((row) => row.case.key)).toEqual(['evals/evals.json#3']);
    report.cell = { case: 'evals/evals.json#3', variant: 1 };
    report.cell = null;
    expect(report.lastCell).toEqual({ case: 'evals/evals.json#3', variant: 1 });
  });

  it('are listed newest first, and compared with each other, the older one as the baseline', async () => {
    await run();
    await run({ compare: 'none' });
    expect(view.runs.list?.map(({ variants }) => variants.length)).toEqual([1, 2]);
    const [newer, older] = view.runs.list?.map(({ run: one }) => one.id) ?? [];
    expect([view.runs.report.id, view.runs.index]).toEqual([newer, 0]);
    view.runs.step(1);
    await settled();
    expect([view.runs.report.id, view.runs.index]).toEqual([older, 1]);
    const [one, other] = view.runs.list?.map((each) => each.run) ?? [];
    if (one && other) await view.runs.report.difference.compare(one, other);
    expect(view.runs.report.difference.value).toMatchObject({ candidate: `revision ${core.find(SKILL).summary.revision}`, unmatched: 1 });
    view.runs.select(newer ?? '');
    expect(view.runs.report.difference.baseline).toBeNull();
  });

  it('of two runs have one table, in which regressions are found and both outputs opened', async () => {
    await run({ compare: 'none' });
    core.evals.passes = (key) => !key.endsWith('#3');
    await run();
    const { report } = view.runs;
    const [newer, older] = view.runs.list ?? [];
    report.cell = { case: 'evals/evals.json#1', variant: 0 };
    if (!newer || !older) throw new Error('no runs');
    await report.difference.compare(newer.run, older.run);
    expect([report.cell, report.difference.baseline, report.difference.candidate]).toEqual([null, older.run.id, newer.run.id]);
    const revision = core.find(SKILL).summary.revision;
    expect(report.matrix?.variants.map(({ label, baseline }) => [label, baseline])).toEqual([[`revision ${revision} (earlier run)`, null], [`revision ${revision} (later run)`, 0]]);
    report.filter = { regressions: true, failed: false };
    expect(report.rows.map((row) => [row.case.key, row.cells.map(({ state }) => state)])).toEqual([['evals/evals.json#3', ['passed', 'failed']]]);
    if (report.matrix) expect(pairOf(report.matrix, 1)).toEqual([0, 1]);
    report.difference.close();
    expect([report.difference.baseline, report.matrix]).toEqual([null, report.value]);
    // The older run is the baseline, whichever is shown.
    view.runs.select(older.run.id);
    await settled();
    await report.difference.compare(older.run, newer.run);
    expect([report.difference.baseline, report.difference.candidate]).toEqual([older.run.id, newer.run.id]);
  });

  it('are read one by one while they change, and the list again only for runs that it doesn’t have', async () => {
    await run();
    await run();
    const count = (): number[] => [core.callsOf('eval/list').length, core.callsOf('eval/get').length];
    const [lists = 0, gets = 0] = count();
    const [last] = core.evals.reports;
    if (!last) throw new Error('no report');
    for (const done of [3, 4, 5]) {
      last.done = done;
      core.emit('eval', [last.run.id]);
    }
    await settled();
    expect([count(), view.runs.list?.[0]?.done, view.runs.report.value?.done]).toEqual([[lists, gets + 1], 5, 5]);
    core.emit('eval', ['another']);
    core.emit('eval', ['another']);
    await settled();
    expect(count()).toEqual([lists + 1, gets + 1]);
    core.emit('eval', ['another']);
    await settled();
    expect(count()).toEqual([lists + 1, gets + 1]);
    core.emit('eval', ['']);
    await settled();
    expect(count()).toEqual([lists + 2, gets + 2]);
  });

  it('are deleted once that is confirmed, and the next one is shown', async () => {
    await run();
    await run();
    const [newer, older] = view.runs.list?.map((one) => one.run) ?? [];
    if (!newer || !older) throw new Error('no runs');
    view.part = 'runs';
    app.commands.run('eval.delete');
    const { deletion } = view.runs;
    expect(deletion.run?.id).toBe(newer.id);
    core.failing.set('eval/delete', fail('io', 'the disk is full'));
    await deletion.confirm();
    expect([deletion.run?.id, deletion.failure?.message]).toEqual([newer.id, 'the disk is full']);
    core.failing.clear();
    await deletion.confirm();
    await settled();
    expect([deletion.run, view.runs.list?.map((one) => one.run.id), view.runs.report.id, core.evals.reports.length]).toEqual([null, [older.id], older.id, 1]);
    deletion.ask({ ...older, status: 'running' });
    expect(deletion.run).toBeNull();
    // Another window deletes the last one.
    core.evals.reports.length = 0;
    core.emit('eval', [older.id]);
    await settled();
    expect([view.runs.list, view.runs.report.id, view.runs.report.value]).toEqual([[], null, null]);
    deletion.ask(older);
    await deletion.confirm();
    expect(deletion.failure?.message).toMatch('deleted already');
  });

  it('are read again after changes of other processes', async () => {
    await run();
    const [report] = core.evals.reports;
    if (report) report.run.status = 'interrupted';
    core.emit('eval', [report?.run.id ?? '']);
    await settled();
    expect([view.runs.list?.[0]?.run.status, view.runs.report.value?.run.status]).toEqual(['interrupted', 'interrupted']);
  });

  it('are exported as text or as a file', async () => {
    await run();
    const { exporter } = view.runs;
    const report = view.runs.report.value;
    if (!report) throw new Error('no report');
    exporter.start(report.run);
    exporter.choose('junit');
    expect(exporter.name).toMatch(/^evals-timeline-builder-2026-03-14\.xml$/);
    expect(await exporter.text()).toBe(`junit of ${report.run.id}`);
    expect(await exporter.write('/tmp/')).toBe(`/tmp/${exporter.name}`);
    exporter.name = 'a/b';
    expect(exporter.problem).toBe('Enter a name without a folder.');
    core.failing.set('eval/export', fail('io', 'the disk is full'));
    expect([await exporter.text(), exporter.failure?.message]).toEqual([null, 'the disk is full']);
  });

  it('of the last graded run are shown with the skill', async () => {
    const last = new LastEval(app.client, app.feed, core.find(SKILL).summary);
    const close = last.open();
    await settled();
    expect([last.loaded, last.value]).toEqual([true, null]);
    await run();
    expect(last.value?.run.skill_revision).toBe(core.find(SKILL).summary.revision);
    // Neither an unfinished run nor a candidate of a rewrite is the skill’s result.
    const first = last.value?.run.id;
    for (let count = 0; count < 4; count++) await run();
    for (const report of core.evals.reports.slice(0, 2)) report.run.status = 'cancelled';
    for (const report of core.evals.reports.slice(2, 4)) for (const variant of report.variants) variant.label = 'candidate';
    core.emit('eval', []);
    await settled();
    expect([last.value?.run.id, core.callsOf('eval/list').slice(-3).map(({ limit }) => limit)]).toEqual([first, expect.arrayContaining([3, 50])]);
    close();
    const before = core.callsOf('eval/list').length;
    core.emit('eval', []);
    await settled();
    // Only the view reads its list again.
    expect(core.callsOf('eval/list')).toHaveLength(before + 1);
  });
});
