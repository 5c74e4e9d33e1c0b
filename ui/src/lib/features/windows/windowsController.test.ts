import { beforeEach, expect, it } from 'vitest';
import { fail, FakeCore, WORKSPACE } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { StringBuffer } from '$lib/features/editor/document/buffer';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let core: FakeCore;
let app: Services;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

const command = async (id: string): Promise<void> => {
  app.palette.run(id);
  await flushPromises();
};

async function type(text: string): Promise<void> {
  const skill = core.skills.find((one) => !one.summary.locked)?.summary;
  if (!skill) throw new Error('there is no skill to edit');
  app.files.open(skill, 'SKILL.md');
  await flushPromises();
  app.tabs.document?.content.attach(new StringBuffer(text));
  app.tabs.document?.content.edited();
  await flushPromises();
}

it('a folder that another window has is shown there, and this window stays as it is', async () => {
  core.window.elsewhere.add(WORKSPACE);
  expect(await app.workspace.open(WORKSPACE)).toBeNull();
  expect(core.window.shown).toEqual([WORKSPACE]);
  expect([app.workspace.current, app.client.workspace]).toEqual([null, null]);
});

it('opens windows: an empty one, and one on a folder that is asked for', async () => {
  await command('window.new');
  await command('window.folder');
  expect(app.overlays.current).toBe('folder');
  await app.folders.choose('/home/ada/code/tracker');
  expect(core.window.opened).toEqual([null, '/home/ada/code/tracker']);
  expect(app.overlays.current).toBeNull();
  core.window.refusal = fail('notFound', 'folder /nowhere not found');
  await command('window.folder');
  await app.folders.choose('/nowhere');
  expect([app.overlays.current, app.folders.pick.failure?.message]).toEqual(['folder', 'folder /nowhere not found']);
});

it('unsaved input is stored before the window closes', async () => {
  await type('---\nname: x\n---\nthe last words');
  app.layout.sidebar.resize(321);
  core.window.askToClose();
  await flushPromises();
  expect(core.window.closed).toBe(true);
  expect([...core.drafts.values()].map((draft) => draft.text).join()).toContain('the last words');
  expect(core.settings['ui.layout']).toMatchObject({ sidebar: 321 });
});

it('input outside of the editors is stored before the window closes, too', async () => {
  await app.workspace.open(WORKSPACE);
  await app.notes.load();
  app.notes.type('account', 'Write dates as 2026-11-25.');
  app.chat.draft = { ...app.chat.draft, text: 'When does' };
  const { summary } = core.find('timeline-builder');
  await app.preview.form.follow({ scope: 'account', skillId: summary.id, path: 'prompts/order.j2' });
  app.preview.form.fields.setValue({ name: 'events', shape: 'text', fields: [], optional: false }, 'Two');
  await app.evals.open('cases', summary);
  await flushPromises();
  app.evals.view?.table.editor.add('task');
  app.evals.view?.table.editor.type('Order these events');
  await command('window.close');
  expect(core.callsOf('note/set')).toEqual([{ scope: 'account', text: 'Write dates as 2026-11-25.' }]);
  expect(core.callsOf('input/save')).toMatchObject([{ path: 'prompts/order.j2', params: { events: 'Two' } }]);
  expect([...core.find('timeline-builder').files.values()].map((file) => file.text).join()).toContain('Order these events');
  expect(core.window.closed).toBe(true);

  const next = createApp(core);
  await next.lifecycle.start();
  expect(next.chat.draft.text).toBe('When does');
});

it('the window closes even if the core fails', async () => {
  await type('words');
  core.failing.set('draft/save', fail('io', 'the disk is full'));
  await command('window.close');
  expect(core.window.closed).toBe(true);
});

it('the title has the name of the folder and a mark for unsaved changes', async () => {
  expect(app.windows.title).toBe('Inklings Skill Studio');
  await app.workspace.open(WORKSPACE);
  expect(app.windows.title).toBe('notes – Inklings Skill Studio');
  await type('words');
  expect(app.windows.title).toBe('• notes – Inklings Skill Studio');
});

it('zooms in steps between its ends, by key too, and is remembered', async () => {
  const { zoom } = app.windows;
  const press = (key: string, code: string): boolean => app.commands.press({ key, code, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false });
  press('=', 'Equal');
  app.windows.update();
  await flushPromises();
  expect([zoom.percent, core.window.level, core.settings['ui.zoom']]).toEqual([110, 1.1, 1.1]);
  press('0', 'Digit0');
  await flushPromises();
  expect([zoom.percent, core.settings['ui.zoom']]).toEqual([100, null]);
  for (let count = 0; count < 20; count += 1) press('-', 'Minus');
  expect(zoom.percent).toBe(50);
  expect(press('-', 'Minus')).toBe(false);
  for (let count = 0; count < 20; count += 1) press('=', 'Equal');
  expect(zoom.percent).toBe(300);
  core.settings['ui.zoom'] = 'huge';
  core.emit('setting', ['ui.zoom']);
  await flushPromises();
});

it('the layout of panes belongs to the workspace of the window', async () => {
  app.layout.sidebar.resize(300);
  await app.workspace.open(WORKSPACE);
  await flushPromises();
  expect(app.layout.sidebar.width).toBe(300);
  app.layout.sidebar.toggle();
  await app.workspace.close();
  expect(app.layout.sidebar.shown).toBe(true);
  await app.workspace.open(WORKSPACE);
  expect(app.layout.sidebar.shown).toBe(false);
});

it('the diagnostics are copied, or the failure is shown', async () => {
  await command('help.diagnostics');
  expect(core.clipboard).toContain('Inklings Skill Studio 0.1.0');
  core.failing.set('app/diagnostics', fail('io', 'the core is gone'));
  await command('help.diagnostics');
  expect(app.toasts.list.map((toast) => toast.message).join()).toMatch(/diagnostics.*core is gone/i);
});

it('a folder of the palette may go into a window of its own', async () => {
  await command('workspace.open');
  await app.folders.choose('/home/ada/code/tracker', 'beside');
  expect([core.window.opened, app.workspace.current, app.overlays.current]).toEqual([['/home/ada/code/tracker'], null, null]);
});
