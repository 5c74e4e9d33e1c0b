import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { StringBuffer } from '$lib/features/editor/document/buffer';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

let core: FakeCore;
let app: Services;

const press = (key: string, code: string, more = {}): boolean =>
  app.commands.press({ key, code, ctrlKey: true, shiftKey: false, altKey: false, metaKey: false, ...more });

function type(text: string): void {
  app.tabs.document?.content.attach(new StringBuffer(text));
  app.tabs.document?.content.edited();
}

async function open(slug: string, path: string): Promise<void> {
  app.files.open(core.find(slug).summary, path);
  await flushPromises();
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

describe('problems', () => {
  it('are live for open files and stored for the rest of their skills', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    expect(app.problems.list).toMatchObject([{ path: 'SKILL.md', diagnostic: { rule: 'frontmatter/short' } }]);
    type('{{ broken');
    await vi.advanceTimersByTimeAsync(300);
    expect(app.problems.count).toEqual({ errors: 1, warnings: 1 });
    type('whole');
    await vi.advanceTimersByTimeAsync(300);
    expect(app.problems.count).toEqual({ errors: 0, warnings: 1 });
  });

  it('are stepped through with F8, each at its line', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    type('ok\n{{ broken');
    await vi.advanceTimersByTimeAsync(300);
    press('F8', 'F8', { ctrlKey: false });
    expect(app.tabs.document).toMatchObject({ file: { path: 'prompts/order.j2' }, revealTarget: { line: 2, column: 1 } });
    press('F8', 'F8', { ctrlKey: false });
    await flushPromises();
    expect(app.tabs.document).toMatchObject({ file: { path: 'SKILL.md' }, revealTarget: { line: 3, column: 14 } });
  });

  it('are stepped through from the cursor, in the active file first', async () => {
    await vi.advanceTimersByTimeAsync(1_100);
    await flushPromises();
    await open('timeline-builder', 'prompts/order.j2');
    type('ok\n{{ broken');
    await vi.advanceTimersByTimeAsync(300);
    const { problems } = app;
    const key = { scope: 'account' as const, id: core.find('timeline-builder').summary.id };
    const from = (line: number, column = 1): { key: typeof key; path: string; line: number; column: number } => ({ key, path: 'prompts/order.j2', line, column });
    // Another one was shown last: the cursor counts.
    problems.cursor = problems.list.find((one) => one.skill?.slug !== 'timeline-builder')?.id ?? null;
    expect(problems.step(1, from(1))).toMatchObject({ path: 'prompts/order.j2', diagnostic: { line: 2 } });
    // From the problem itself it goes on, and back.
    expect(problems.step(1, from(2))?.path).not.toBe('prompts/order.j2');
    expect(problems.step(-1, from(2, 5))).toMatchObject({ path: 'prompts/order.j2', diagnostic: { line: 2 } });
    expect(problems.step(-1, from(1))).toMatchObject({ path: 'SKILL.md', skill: { slug: 'timeline-builder' } });
  });

  it('are those of all skills, by skill and file, once there was time to look', async () => {
    await vi.advanceTimersByTimeAsync(1_100);
    await flushPromises();
    const names = app.problems.groups.map((group) => group.skill?.slug);
    expect(names).toContain('timeline-builder');
    expect(app.problems.checks.done).toBe(true);
    const before = app.problems.count.warnings;
    expect(before).toBeGreaterThan(0);
    // A skill that changed elsewhere is checked again, alone.
    const asked = core.callsOf('check/all').length;
    core.writeElsewhere('timeline-builder', 'SKILL.md', '---\nname: timeline-builder\ndescription: Puts events in their order. Use it when dates are mixed up.\n---\n');
    await vi.advanceTimersByTimeAsync(500);
    await flushPromises();
    expect(core.callsOf('check/all').slice(asked)).toHaveLength(1);
    expect(app.problems.count.warnings).toBe(before - 1);
  });

  it('are filtered by words and folded by group', async () => {
    await open('timeline-builder', 'prompts/order.j2');
    type('{{ broken');
    await vi.advanceTimersByTimeAsync(300);
    const { problems } = app;
    expect(problems.rows.map((row) => row.kind)).toEqual(['skill', 'file', 'problem', 'file', 'problem']);
    problems.text = 'frontmatter short';
    expect(problems.list.map((one) => one.path)).toEqual(['SKILL.md']);
    expect(problems.count).toEqual({ errors: 1, warnings: 1 });
    problems.text = '';
    problems.key('ArrowDown');
    problems.key('ArrowLeft');
    expect(problems.rows.map((row) => row.kind)).toEqual(['skill']);
    problems.key('ArrowRight');
    problems.key('End');
    problems.key('ArrowLeft');
    expect(problems.rows[problems.index]?.kind).toBe('file');
    expect(problems.key('x')).toBe(false);
  });

  it('have quick fixes, which are one step of the text', async () => {
    await open('timeline-builder', 'SKILL.md');
    await vi.advanceTimersByTimeAsync(300);
    const before = app.tabs.document?.content.text() ?? '';
    app.editor.cursor = { line: 3, column: 1 };
    press('.', 'Period');
    expect(app.contextMenu.open?.items.map((item) => item.label)).toEqual(['Say when to use it', 'About frontmatter/short']);
    await app.contextMenu.open?.items[0]?.run();
    expect(app.tabs.document?.content.text()).toBe(before.replace(/^(description: .*)$/m, '$1 Use it when someone asks for it.'));
    await vi.advanceTimersByTimeAsync(300);
    expect(app.tabs.document?.diagnostics.list).toEqual([]);
    // A text that changed since the check isn’t changed.
    const document = app.tabs.document;
    const fix = { title: 'x', path: 'SKILL.md', edits: [{ line: 1, column: 1, end_line: 1, end_column: 1, text: 'x' }], rename: null };
    if (document) await app.fixes.apply(document, fix);
    expect(app.tabs.document?.content.text()).not.toMatch(/^x/);
    expect(app.toasts.list.at(-1)?.message).toMatch(/The text changed/);
  });

  it('are fixed from the list, in the text that is opened for it', async () => {
    await vi.advanceTimersByTimeAsync(1_100);
    await flushPromises();
    const problem = app.problems.list.find((one) => one.skill?.slug === 'timeline-builder');
    if (problem) await app.fixes.problem(problem, { x: 0, y: 0 });
    await app.contextMenu.open?.items[0]?.run();
    await flushPromises();
    expect(app.tabs.document).toMatchObject({ file: { path: 'SKILL.md' }, content: { dirty: true } });
    expect(app.tabs.document?.content.text()).toMatch(/Use it when someone asks for it\./);
  });

  it('lead to the page of their rule', () => {
    app.help.open('rules', 'frontmatter/tab');
    expect(app.help.location).toEqual({ slug: 'rules', heading: 'frontmatter/tab' });
  });
});
