import { previewTarget } from '$lib/features/inspector';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore, WORKSPACE } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { StringBuffer } from '$lib/features/editor/document/buffer';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let core: FakeCore;
let app: Services;

const skill = (slug: string): ReturnType<FakeCore['find']>['summary'] => core.find(slug).summary;
const press = (key: string, code: string, more = {}): boolean =>
  app.commands.press({ key, code, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false, ...more });

/** Opens a file, and does what the inspector does when it is in front. */
async function open(slug: string, path: string): Promise<void> {
  app.files.open(skill(slug), path);
  await flushPromises();
  await app.preview.follow(previewTarget(app.tabs.document));
  await flushPromises();
  app.runView.follow();
  await vi.advanceTimersByTimeAsync(200);
  await flushPromises();
}

function fill(values: Record<string, string>): void {
  for (const [name, text] of Object.entries(values)) {
    const variable = app.runView.form.fields.variables.find((one) => one.name === name);
    if (!variable) throw new Error(`no field ${name}`);
    app.runView.form.fields.set(variable, text);
  }
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  core.runs.addProvider();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

describe('Ctrl+Enter', () => {
  it('runs the prompt in front with the values of its form', async () => {
    await open('consistency-checker', 'prompts/check-prompt.j2');
    fill({ entity_name: 'Aria', claims: '[{"page_name": "p", "text": "t"}]' });
    expect(press('Enter', 'Enter')).toBe(true);
    await flushPromises();
    expect(app.layout.inspector.tab).toBe('run');
    expect(core.callsOf('run/start')).toMatchObject([{ artifact: 'prompts/check-prompt.j2', params: { entity_name: 'Aria', claims: [{ page_name: 'p', text: 't' }] } }]);
    expect(app.runView.run.live).toMatchObject({ status: 'ok', text: 'No contradictions.' });
  });

  it('saves what is unsaved first', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    app.tabs.document?.content.attach(new StringBuffer('Say hello'));
    app.tabs.document?.content.edited();
    press('Enter', 'Enter');
    await flushPromises();
    const names = core.calls.map((call) => call.name).filter((name) => name === 'skill/edit' || name === 'run/start');
    expect(names).toEqual(['skill/edit', 'run/start']);
    expect(core.runs.traces.at(-1)?.rendered_input).toBe('Say hello');
  });

  it('leaves the unsaved text of other files as it is', async () => {
    await open('consistency-checker', 'SKILL.md');
    app.tabs.document?.content.attach(new StringBuffer('Half a thought'));
    app.tabs.document?.content.edited();
    const other = app.tabs.document;
    await open('consistency-checker', 'prompts/check-prompt.j2');
    fill({ entity_name: 'Aria', claims: '[{"page_name": "p", "text": "t"}]' });
    press('Enter', 'Enter');
    await flushPromises();
    expect(core.callsOf('run/start')).toHaveLength(1);
    expect([core.callsOf('skill/edit'), other?.content.dirty]).toEqual([[], true]);
  });

  it('has the inputs of the active file, although its form wasn’t shown', async () => {
    const path = 'prompts/check-prompt.j2';
    const values = { entity_name: 'Bren', claims: [{ page_name: 'p', text: 't' }] };
    await app.client.call('input/save', { skill: skill('consistency-checker').id, scope: 'account', path, name: '', params: values });
    // What was in front before has other values.
    await open('timeline-builder', 'SKILL.md');
    fill({ events: '[{"date": "1", "title": "t"}]' });
    app.files.open(skill('consistency-checker'), path);
    await flushPromises();
    press('Enter', 'Enter');
    await flushPromises();
    expect(core.callsOf('run/start')).toMatchObject([{ artifact: path, params: values }]);
    app.commands.run('run.whole');
    await flushPromises();
    expect(core.callsOf('run/start')[1]).not.toMatchObject({ params: { events: expect.anything() as unknown } });
  });

  it('keeps its values when another file comes in front meanwhile', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    fill({ events: '[{"date": "1", "title": "t"}]' });
    app.tabs.document?.content.attach(new StringBuffer('Order {{ events }}'));
    app.tabs.document?.content.edited();
    core.hold('skill/edit');
    press('Enter', 'Enter');
    await flushPromises();
    await open('consistency-checker', 'prompts/check-prompt.j2');
    core.release('skill/edit');
    await flushPromises();
    expect(core.callsOf('run/start')).toMatchObject([{ skill: skill('timeline-builder').id, artifact: 'prompts/order.j2', params: { events: [{ date: '1', title: 't' }] } }]);
  });

  it('runs nothing when that can’t be saved', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    app.tabs.document?.content.attach(new StringBuffer('mine'));
    app.tabs.document?.content.edited();
    core.writeElsewhere('timeline-builder', 'prompts/order.j2', 'theirs');
    await flushPromises();
    press('Enter', 'Enter');
    await flushPromises();
    expect(core.callsOf('run/start')).toEqual([]);
    expect(app.tabs.document?.conflict.shown).not.toBeNull();
  });

  it('runs the whole skill from a file that can’t run alone, with what its steps need', async () => {
    await open('timeline-builder', 'SKILL.md');
    expect(app.runView.whole).toBe(true);
    expect(app.runView.form.fields.variables.map((one) => [one.name, one.shape, one.optional])).toEqual([['events', 'list', false]]);
    fill({ events: '[{"date": "1", "title": "t"}]' });
    press('Enter', 'Enter');
    await flushPromises();
    expect(core.callsOf('run/start')).toMatchObject([{ artifact: null }]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(core.callsOf('input/save')).toMatchObject([{ path: 'SKILL.md', name: '' }]);
  });

  it('answers a message with SKILL.md only where that is chosen, if the skill has more to run', async () => {
    await open('timeline-builder', 'SKILL.md');
    expect(app.runView).toMatchObject({ alone: 'Instructions', whole: true, target: { artifact: null } });
    app.runView.whole = false;
    expect(app.runView.target?.artifact).toBe('SKILL.md');
    await open('timeline-builder', 'prompts/order.j2');
    expect(app.runView).toMatchObject({ alone: 'This prompt', whole: false });
    await open('timeline-builder', 'SKILL.md');
    app.runs.start(true);
    expect(app.runView.target?.artifact).toBeNull();
  });

  it('isn’t taken where nothing can run', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    app.settingsPage.open('general');
    expect(press('Enter', 'Enter')).toBe(false);
  });
});

it('runs what is in an untrusted workspace only after a yes', async () => {
  core.runs.trusted = false;
  await app.workspace.open(WORKSPACE);
  const override = core.find('link-auditor', 'workspace').summary;
  core.find('link-auditor', 'workspace').files.set('prompts/p.j2', { text: 'Hello', kind: 'prompt_template', name: 'P' });
  core.emit('skill', [], 'workspace');
  await flushPromises();
  app.files.open(override, 'prompts/p.j2');
  await flushPromises();
  app.runView.follow();
  await vi.advanceTimersByTimeAsync(200);
  void app.runView.run.start();
  await flushPromises();
  expect(app.workspace.trust.asked).toBe(true);
  app.workspace.trust.decline();
  await flushPromises();
  expect(core.callsOf('run/start')).toEqual([]);
  void app.runView.run.start();
  await flushPromises();
  await app.workspace.trust.set(true);
  await flushPromises();
  expect(core.callsOf('run/start')).toHaveLength(1);
  expect(app.runView.run.live?.status).toBe('ok');
});

it('goes from a run to its place in the list', async () => {
  await open('timeline-builder', 'prompts/order.j2');
  fill({ events: '[]' });
  press('Enter', 'Enter');
  await flushPromises();
  app.runs.show(app.runView.run.live?.id);
  expect(app.layout.view).toBe('runs');
  expect(app.runsView.runs.selection.run).toBe(app.runView.run.live?.id);
});

it('knows whether a script is among what would run', async () => {
  await open('consistency-checker', 'prompts/check-prompt.j2');
  expect(app.runView.scripted).toBe(false);
  await open('consistency-checker', 'scripts/cross-reference.py');
  expect(app.runView.scripted).toBe(true);
  app.runView.whole = true;
  app.runView.follow();
  await vi.advanceTimersByTimeAsync(200);
  expect(app.runView.scripted).toBe(false);
});

it('chooses the default model, or one for a replay', async () => {
  app.modelChooser.ask();
  expect(app.overlays.current).toBe('model');
  app.modelChooser.choose('claude/claude-haiku');
  await flushPromises();
  expect(app.models.default).toBe('claude/claude-haiku');
  const chosen = vi.fn();
  app.modelChooser.ask('Replay with', chosen);
  app.modelChooser.choose('claude/claude-sonnet');
  await flushPromises();
  expect(chosen).toHaveBeenCalledWith('claude/claude-sonnet');
  expect(app.models.default).toBe('claude/claude-haiku');
});

it('exports what the list shows to a folder', async () => {
  core.runs.trace();
  app.runsView.runs.query.set({ status: 'ok' });
  const { exporter } = app.runsView;
  exporter.start();
  exporter.choose('dspy');
  exporter.name = 'a/b';
  expect(exporter.problem).not.toBe('');
  exporter.name = 'examples.jsonl';
  app.folders.exportRuns();
  await app.folders.choose('/tmp/');
  await flushPromises();
  expect(core.runs.exported).toMatchObject([{ format: 'dspy', out: '/tmp/examples.jsonl', filter: { status: ['ok'] } }]);
  expect(exporter.open).toBe(false);
  expect(app.toasts.list.map((toast) => toast.message)).toEqual(['Exported 1 line to /tmp/examples.jsonl']);
});

it('forgets the runs of a workspace that was left', async () => {
  app.runsView.show('r-1');
  await app.workspace.open(WORKSPACE);
  await flushPromises();
  expect(app.runsView.runs.selection.run).toBeNull();
});
