import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';
import type { EvalsViewModel } from './evalsViewModel.svelte';
import { describePass } from './labels';
import { actionOf, nextStep, type SkillFacts } from './loopStages';
import { changedSkill, rollBack } from './rewriteActions';
import { describeOutcome, remarksOn } from './rewriteLabels';
import { openProposal, perform } from './stageActions';
import type { LoopStage, OptimizationLoop, Rewrite } from './types';

const SKILL = 'timeline-builder';
const ENTRIES = Array.from({ length: 6 }, (_, index) => ({ id: index + 1, prompt: `Order ${index + 1}`, assertions: ['Is in order'] }));
const FACTS: SkillFacts = { tasks: 2, triggers: 1, isReadOnly: false, hasProposal: false };
const NO_GAPS: OptimizationLoop = { ready: 6, stages: [] };

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
  core.evals.seed(SKILL, ENTRIES);
  core.evals.passes = () => false;
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
  await app.evals.open(undefined, core.find(SKILL).summary);
  if (!app.evals.view) throw new Error('no view');
  view = app.evals.view;
  await settled();
});

const stage = (id: LoopStage['id'], status: LoopStage['status'], next: string | null = status === 'ready' ? null : `Do ${id}.`): LoopStage => ({ id, status, detail: '', next });
const shown = () => {
  const { skill } = view;
  if (!skill) throw new Error('no skill');
  return skill;
};

describe('the optimization loop', () => {
  it('has an action for each gap that can be closed here', () => {
    const actions = (status: LoopStage['status'], facts: Partial<SkillFacts> = {}) =>
      (['target', 'criteria', 'cases', 'candidates', 'scores', 'promotion'] as const).map((id) => actionOf(stage(id, status), { ...FACTS, ...facts }));
    expect(actions('empty')).toEqual([null, 'edit_manifest', 'add_trigger', 'rewrite', 'run', 'edit_manifest']);
    expect(actions('empty', { tasks: 0, triggers: 0 })).toEqual([null, 'edit_manifest', 'add_case', null, null, 'edit_manifest']);
    expect(actions('partial', { isReadOnly: true, hasProposal: true })).toEqual([null, null, 'test_triggers', 'review', 'run', null]);
    expect(actions('ready')).toEqual([null, null, 'test_triggers', 'rewrite', null, null]);
  });

  it('names the first gap that can be closed, unless a proposal waits', () => {
    const loop = { ready: 3, stages: [stage('target', 'ready'), stage('promotion', 'empty'), stage('scores', 'partial')] };
    expect(nextStep(loop, FACTS)).toEqual({ text: 'Do promotion.', action: 'edit_manifest' });
    expect(nextStep(loop, { ...FACTS, isReadOnly: true })).toEqual({ text: 'Do scores.', action: 'run' });
    expect(nextStep(loop, { ...FACTS, isReadOnly: true, tasks: 0 })).toEqual({ text: 'Do promotion.', action: null });
    expect(nextStep(loop, { ...FACTS, hasProposal: true })).toMatchObject({ action: 'review' });
    expect(nextStep(NO_GAPS, FACTS)).toBeNull();
  });

  it('is read again a moment after the last change', async () => {
    const before = core.callsOf('eval/loop').length;
    core.evals.loop = { ready: 4, stages: [] };
    for (const id of ['a', 'b', 'c']) core.emit('eval', [id]);
    core.emit('skill', ['another']);
    await settled();
    expect([core.callsOf('eval/loop').length, view.stages.value?.ready]).toEqual([before + 1, 4]);
    core.failing.set('eval/loop', fail('io', 'the disk is full'));
    core.emit('proposal', []);
    await settled();
    expect([view.stages.value?.ready, view.stages.failure?.message]).toEqual([4, 'the disk is full']);
    core.failing.clear();
    core.evals.loop = { ready: 1, stages: [] };
    view.show(core.find('link-auditor').summary);
    expect(view.stages.value).toBeNull();
    await settled();
    expect(core.callsOf('eval/loop').at(-1)).toMatchObject({ skill: core.find('link-auditor').summary.id });
  });

  it('opens what an action needs', async () => {
    perform(app, view, shown(), 'add_trigger');
    expect([view.part, view.table.editor.editing?.type]).toEqual(['cases', 'trigger']);
    view.table.editor.cancel();
    perform(app, view, shown(), 'test_triggers');
    expect(view.part).toBe('triggers');
    perform(app, view, shown(), 'rewrite');
    expect([view.part, view.rewriting.setup.isOpen]).toEqual(['rewrite', true]);
    view.rewriting.setup.close();
    perform(app, view, shown(), 'edit_manifest');
    await settled();
    expect([app.layout.view, app.tabs.document?.file.path]).toEqual(['editor', 'skill.json']);
    await app.evals.open('cases');
    perform(app, view, shown(), 'run');
    expect(view.setup.isOpen).toBe(true);
    expect(openProposal(app, shown())).toBeNull();
    core.proposals.compose({ 'SKILL.md': 'Old' }, SKILL, { created_at: '2026-01-01T00:00:00.000Z' });
    const { id } = core.proposals.compose({ 'SKILL.md': 'New' }, SKILL, { created_at: '2026-02-01T00:00:00.000Z' });
    core.emit('proposal', []);
    await settled();
    perform(app, view, shown(), 'review');
    expect([app.layout.view, app.proposals.list.selection.id]).toEqual(['proposals', id]);
  });
});

/** Rewrites with what the dialog has. */
async function rewrite(): Promise<void> {
  view.rewriting.setup.open();
  await view.rewriting.start();
  await settled();
}

describe('the setup of a rewrite', () => {
  it('estimates a pass over the cases of each split, as a candidate has to pay it', async () => {
    app.commands.run('eval.rewrite');
    await settled();
    const { setup } = view.rewriting;
    expect([setup.isOpen, view.part, setup.counts]).toEqual([true, 'rewrite', { train: 3, validation: 3 }]);
    setup.estimate();
    setup.change({ model: 'claude/claude-haiku' });
    setup.estimate();
    await settled();
    expect(core.callsOf('eval/estimate')).toMatchObject([
      { split: 'train', without_baseline: true, fresh: true, models: ['claude/claude-haiku'] },
      { split: 'validation', without_baseline: true, fresh: true },
    ]);
    expect(describePass('3 training cases', setup.train.value, 2)).toBe('3 training cases: 6 results, about 600 input tokens, at least $0.0072');
    expect(describePass('3 training cases', null, 2)).toBe('3 training cases');
  });

  it('says what is missing, and becomes the parameters', async () => {
    const { setup } = view.rewriting;
    expect(setup.params).toEqual({ skill: shown().id, scope: 'account', limits: {} });
    setup.change({ attempts: ' 5', judge: 'claude/claude-opus' });
    setup.limits.set('cost', '0.5');
    await settled();
    expect(setup.params).toMatchObject({ iterations: 5, judge: 'claude/claude-opus', limits: { cost: 0.5 } });
    expect(core.settings['rewrite.limits']).toEqual({ [`account:${shown().id}`]: { cost: 0.5 } });
    for (const attempts of ['0', '21', 'x']) {
      setup.change({ attempts });
      expect([setup.problem, setup.params]).toEqual(['Enter 1 to 20 attempts.', null]);
    }
    setup.change({ attempts: '' });
    setup.limits.set('cost', 'x');
    expect(setup.problem).toBe('Correct the limits.');
    core.evals.seed(SKILL, []);
    await settled();
    expect(setup.problem).toMatch('No training cases');
  });
});

describe('a rewrite', () => {
  it('is a task that can be canceled, and ends in a proposal with the pass rates of both splits', async () => {
    core.hold('eval/rewrite');
    view.rewriting.setup.open();
    const started = view.rewriting.start();
    await settled();
    const { rewriting } = view;
    expect([rewriting.setup.isOpen, view.part, rewriting.call.busy, app.tasks.list[0]?.title, app.tasks.list[0]?.subject]).toEqual([false, 'rewrite', true, 'Rewrite instructions', 'Timeline Builder']);
    core.far('eval/rewrite', 2, 6);
    expect(rewriting.progress).toBe('2 of 6 results');
    await rewriting.start();
    expect(core.callsOf('eval/rewrite')).toHaveLength(1);
    app.commands.run('eval.cancelRewrite');
    expect([rewriting.call.isCanceling, core.stops]).toEqual([true, 1]);
    core.release('eval/rewrite');
    await started;
    await settled();
    const { outcome } = rewriting;
    expect([outcome?.wasCanceled, outcome?.proposal?.status, outcome?.revision, outcome?.train?.after.rate, outcome?.train?.before.interval.high, outcome?.validation?.after.cases]).toEqual([true, 'open', null, 1, 0.3, 3]);
    expect(app.tasks.list[0]?.note).toBe('Proposal ready, 0% → 100% of the training cases');
    // The runs of candidates aren’t the skill’s own.
    expect(view.runs.list).toHaveLength(2);
    view.show(core.find('link-auditor').summary);
    expect(rewriting.outcome).toBeNull();
    view.show(core.find(SKILL).summary);
    expect(rewriting.outcome).toBe(outcome);
  });

  it('follows its proposal, and is rolled back from where it was accepted', async () => {
    await rewrite();
    const { outcome } = view.rewriting;
    if (!outcome?.value.proposal) throw new Error('no proposal');
    expect(changedSkill(app.catalog, outcome)).toBeNull();
    const before = core.find(SKILL).files.get('SKILL.md')?.text;
    const { revision } = await app.client.call('proposal/accept', { id: outcome.value.proposal });
    core.emit('proposal', [outcome.value.proposal]);
    await settled();
    expect([outcome.revision, describeOutcome(outcome).text]).toEqual([revision, `Accepted as revision ${revision}.`]);
    const changed = changedSkill(app.catalog, outcome);
    expect(changed?.revision).toBe(revision);
    expect(core.find(SKILL).files.get('SKILL.md')?.text).toBe('Order the events by date.\n');
    if (changed) await rollBack(app, changed, revision);
    await settled();
    expect([core.find(SKILL).files.get('SKILL.md')?.text, app.toasts.list.at(-1)?.message]).toEqual([before, `Rolled back to revision ${revision - 1}`]);
    expect(changedSkill(app.catalog, outcome)?.revision).not.toBe(revision);
  });

  it('of a locked skill changes a copy, which is known if the manifest accepted it', () => {
    const { summary } = core.find('consistency-checker');
    const outcome = { skill: summary, revision: 2, value: { promoted: null } as Rewrite };
    expect(changedSkill(app.catalog, outcome)).toBeNull();
    expect(changedSkill(app.catalog, { ...outcome, value: { promoted: { skill: SKILL, revision: 2, forked: true } } as Rewrite })?.slug).toBe(SKILL);
  });

  it('that is refused says why, and is started again', async () => {
    core.failing.set('eval/rewrite', fail('notTrusted', 'the workspace isn’t trusted'));
    await rewrite();
    expect([view.rewriting.call.failure?.code, view.rewriting.outcome]).toEqual(['notTrusted', null]);
    core.failing.clear();
    await view.rewriting.retry();
    await settled();
    expect(view.rewriting.outcome?.value.proposal).toBeTruthy();
  });

  it('says what became of it and what to know before it is trusted', () => {
    const value: Rewrite = { attempts: [], train: { before: 0, after: 1 }, validation: { before: 0.5, after: 1 }, validation_run: null, proposal: 'p', promoted: null, over_budget: false, input_tokens: null, output_tokens: null, estimated_cost: null };
    const outcome = (change: Partial<Rewrite>, wasCanceled = false) => ({ value: { ...value, ...change }, proposal: null, revision: null, wasCanceled });
    expect(describeOutcome(outcome({}))).toEqual({ text: 'Proposal ready. Nothing changes before it is accepted.', tone: 'ok' });
    expect(describeOutcome(outcome({ promoted: { skill: 's', revision: 3, forked: false } })).text).toBe('Accepted as revision 3, as declared in the manifest.');
    expect(describeOutcome(outcome({ proposal: null })).text).toMatch('before the first attempt');
    const attempt: Rewrite['attempts'][number] = { outcome: 'rejected', reason: '', edits: [], train: 0, run: null };
    expect(describeOutcome(outcome({ proposal: null, attempts: [attempt] })).text).toMatch('No attempt helped');
    expect(remarksOn(outcome({}))).toEqual([]);
    expect(remarksOn(outcome({ over_budget: true, validation: null }))).toEqual(['A limit was reached before the search ended.', 'No validation cases were run, so the result may fit the training cases only.']);
    expect(remarksOn(outcome({ over_budget: true, proposal: null }, true))).toEqual(['Canceled before all attempts were made.']);
    expect(remarksOn(outcome({ validation: { before: 0.5, after: 0.4 } }))).toEqual(['Fewer validation cases pass than before: the edits fit the training cases only.']);
    expect(remarksOn(outcome({ validation: { before: 0.5, after: 0.5 } }))).toEqual(['No more validation cases pass than before.']);
  });
});
