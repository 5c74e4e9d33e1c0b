import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore, WORKSPACE } from '../../../../tests/fake/core';
import { fakeTimers, settle } from '../../../../tests/support';
import { StringBuffer } from '$lib/features/editor/buffer';
import { Studio } from '$lib/app/studio.svelte';

let core: FakeCore;
let studio: Studio;

const skill = (slug: string): ReturnType<FakeCore['find']>['summary'] => core.find(slug).summary;
const press = (key: string, code: string, more = {}): boolean =>
  studio.commands.press({ key, code, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false, ...more });

/** Opens a file, and does what the inspector does when it is in front. */
async function open(slug: string, path: string): Promise<void> {
  studio.files.open(skill(slug), path);
  await settle();
  await studio.preview.follow(studio.tabs.document);
  await settle();
  studio.running.follow();
  await vi.advanceTimersByTimeAsync(200);
  await settle();
}

function fill(values: Record<string, string>): void {
  for (const [name, text] of Object.entries(values)) {
    const variable = studio.running.form.variables.find((one) => one.name === name);
    if (!variable) throw new Error(`no field ${name}`);
    studio.running.form.setField(variable, text);
  }
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  core.runs.addProvider();
  studio = new Studio(core);
  await studio.start();
  await settle();
});

describe('Ctrl+Enter', () => {
  it('runs the prompt in front with the values of its form', async () => {
    await open('consistency-checker', 'prompts/check-prompt.j2');
    fill({ entity_name: 'Aria', claims: '[{"page_name": "p", "text": "t"}]' });
    expect(press('Enter', 'Enter')).toBe(true);
    await settle();
    expect(studio.layout.inspectorTab).toBe('run');
    expect(core.callsOf('run/start')).toMatchObject([{ artifact: 'prompts/check-prompt.j2', params: { entity_name: 'Aria', claims: [{ page_name: 'p', text: 't' }] } }]);
    expect(studio.running.run.live).toMatchObject({ status: 'ok', text: 'No contradictions.' });
  });

  it('saves what is unsaved first', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    studio.tabs.document?.attach(new StringBuffer('Say hello'));
    studio.tabs.document?.edited();
    press('Enter', 'Enter');
    await settle();
    const names = core.calls.map((call) => call.name).filter((name) => name === 'skill/edit' || name === 'run/start');
    expect(names).toEqual(['skill/edit', 'run/start']);
    expect(core.runs.traces.at(-1)?.rendered_input).toBe('Say hello');
  });

  it('leaves the unsaved text of other files as it is', async () => {
    await open('consistency-checker', 'SKILL.md');
    studio.tabs.document?.attach(new StringBuffer('Half a thought'));
    studio.tabs.document?.edited();
    const other = studio.tabs.document;
    await open('consistency-checker', 'prompts/check-prompt.j2');
    fill({ entity_name: 'Aria', claims: '[{"page_name": "p", "text": "t"}]' });
    press('Enter', 'Enter');
    await settle();
    expect(core.callsOf('run/start')).toHaveLength(1);
    expect([core.callsOf('skill/edit'), other?.dirty]).toEqual([[], true]);
  });

  it('has the values of what is in front, although nobody looked at its form', async () => {
    const path = 'prompts/check-prompt.j2';
    const values = { entity_name: 'Bren', claims: [{ page_name: 'p', text: 't' }] };
    await studio.client.call('input/save', { skill: skill('consistency-checker').id, scope: 'account', path, name: '', params: values });
    // What was in front before has other values.
    await open('timeline-builder', 'SKILL.md');
    fill({ events: '[{"date": "1", "title": "t"}]' });
    studio.files.open(skill('consistency-checker'), path);
    await settle();
    press('Enter', 'Enter');
    await settle();
    expect(core.callsOf('run/start')).toMatchObject([{ artifact: path, params: values }]);
    studio.commands.run('run.whole');
    await settle();
    expect(core.callsOf('run/start')[1]).not.toMatchObject({ params: { events: expect.anything() as unknown } });
  });

  it('keeps its values when another file comes in front meanwhile', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    fill({ events: '[{"date": "1", "title": "t"}]' });
    studio.tabs.document?.attach(new StringBuffer('Order {{ events }}'));
    studio.tabs.document?.edited();
    core.hold('skill/edit');
    press('Enter', 'Enter');
    await settle();
    await open('consistency-checker', 'prompts/check-prompt.j2');
    core.release('skill/edit');
    await settle();
    expect(core.callsOf('run/start')).toMatchObject([{ skill: skill('timeline-builder').id, artifact: 'prompts/order.j2', params: { events: [{ date: '1', title: 't' }] } }]);
  });

  it('runs nothing when that can’t be saved', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    studio.tabs.document?.attach(new StringBuffer('mine'));
    studio.tabs.document?.edited();
    core.writeElsewhere('timeline-builder', 'prompts/order.j2', 'theirs');
    await settle();
    press('Enter', 'Enter');
    await settle();
    expect(core.callsOf('run/start')).toEqual([]);
    expect(studio.tabs.document?.conflict).not.toBeNull();
  });

  it('runs the whole skill from a file that can’t run alone, with what its steps need', async () => {
    await open('timeline-builder', 'SKILL.md');
    expect(studio.running.alone).toBeNull();
    expect(studio.running.form.variables.map((one) => [one.name, one.shape, one.optional])).toEqual([['events', 'list', false]]);
    fill({ events: '[{"date": "1", "title": "t"}]' });
    press('Enter', 'Enter');
    await settle();
    expect(core.callsOf('run/start')).toMatchObject([{ artifact: null }]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(core.callsOf('input/save')).toMatchObject([{ path: 'SKILL.md', name: '' }]);
  });

  it('isn’t taken where nothing can run', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    studio.openSettings('general');
    expect(press('Enter', 'Enter')).toBe(false);
  });
});

it('runs what is in an untrusted workspace only after a yes', async () => {
  core.runs.trusted = false;
  await studio.workspace.open(WORKSPACE);
  const override = core.find('link-auditor', 'workspace').summary;
  core.find('link-auditor', 'workspace').files.set('prompts/p.j2', { text: 'Hello', kind: 'prompt_template', name: 'P' });
  core.emit('skill', [], 'workspace');
  await settle();
  studio.files.open(override, 'prompts/p.j2');
  await settle();
  studio.running.follow();
  await vi.advanceTimersByTimeAsync(200);
  void studio.running.run.start();
  await settle();
  expect(studio.workspace.trustAsked).toBe(true);
  studio.workspace.declineTrust();
  await settle();
  expect(core.callsOf('run/start')).toEqual([]);
  void studio.running.run.start();
  await settle();
  await studio.workspace.trust(true);
  await settle();
  expect(core.callsOf('run/start')).toHaveLength(1);
  expect(studio.running.run.live?.status).toBe('ok');
});

it('goes from a run to its place in the list', async () => {
  await open('timeline-builder', 'prompts/order.j2');
  fill({ events: '[]' });
  press('Enter', 'Enter');
  await settle();
  studio.runs.show(studio.running.run.live?.id);
  expect(studio.layout.view).toBe('runs');
  expect(studio.runsView.runs.selected).toBe(studio.running.run.live?.id);
});

it('knows whether a script is among what would run', async () => {
  await open('consistency-checker', 'prompts/check-prompt.j2');
  expect(studio.running.scripted).toBe(false);
  await open('consistency-checker', 'scripts/cross-reference.py');
  expect(studio.running.scripted).toBe(true);
  studio.running.whole = true;
  studio.running.follow();
  await vi.advanceTimersByTimeAsync(200);
  expect(studio.running.scripted).toBe(false);
});

it('chooses the default model, or one for a replay', async () => {
  studio.chooseModel();
  expect(studio.overlay).toBe('model');
  studio.modelChosen('claude/claude-haiku');
  await settle();
  expect(studio.models.default).toBe('claude/claude-haiku');
  const chosen = vi.fn();
  studio.chooseModel('Replay with', chosen);
  studio.modelChosen('claude/claude-sonnet');
  await settle();
  expect(chosen).toHaveBeenCalledWith('claude/claude-sonnet');
  expect(studio.models.default).toBe('claude/claude-haiku');
});

it('exports what the list shows to a folder', async () => {
  core.runs.trace();
  studio.runsView.runs.filter({ status: 'ok' });
  const { exporter } = studio.runsView;
  exporter.start();
  exporter.choose('dspy');
  exporter.name = 'a/b';
  expect(exporter.problem).not.toBe('');
  exporter.name = 'examples.jsonl';
  studio.folders.exportRuns();
  await studio.folders.choose('/tmp/');
  await settle();
  expect(core.runs.exported).toMatchObject([{ format: 'dspy', out: '/tmp/examples.jsonl', filter: { status: ['ok'] } }]);
  expect(exporter.open).toBe(false);
  expect(studio.toasts.list.map((toast) => toast.message)).toEqual(['Exported 1 line to /tmp/examples.jsonl']);
});

it('forgets the runs of a workspace that was left', async () => {
  studio.runsView.show('r-1');
  await studio.workspace.open(WORKSPACE);
  await settle();
  expect(studio.runsView.runs.selected).toBeNull();
});
