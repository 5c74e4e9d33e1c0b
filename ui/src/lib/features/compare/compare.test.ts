import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { StringBuffer } from '$lib/features/editor/document/buffer';
import type { SkillOverview } from '$lib/api';
import type { Comparison } from '$lib/features/editor';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

const PROMPT = 'prompts/order.j2';
let core: FakeCore;
let app: Services;

function skill(slug = 'timeline-builder'): SkillOverview {
  const { id, scope } = core.find(slug).summary;
  const found = app.catalog.summary({ id, scope });
  if (!found) throw new Error(`no skill ${slug}`);
  return found;
}

function active(): Comparison {
  const found = app.compare.active;
  if (!found) throw new Error('nothing is compared');
  return found;
}

const texts = (): (string | null | undefined)[] => [active().shown?.texts.left.text, active().shown?.texts.right.text];

/** Until the list of skills was read again. */
async function wait(): Promise<void> {
  await vi.advanceTimersByTimeAsync(300);
  await flushPromises();
}

async function type(text: string): Promise<void> {
  const { scope, id } = skill();
  app.files.open({ scope, id }, PROMPT);
  await flushPromises();
  app.tabs.document?.content.attach(new StringBuffer(text));
  app.tabs.document?.content.edited();
}

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await flushPromises();
});

describe('revisions', () => {
  it('are compared as a whole, file by file, or in one file', async () => {
    core.writeElsewhere('timeline-builder', PROMPT, 'second');
    core.writeElsewhere('timeline-builder', 'notes.md', 'a note');
    await wait();
    app.compare.revisions(skill(), 1, 3, null);
    await flushPromises();
    expect(active().files?.map(({ path, change }) => [path, change])).toEqual([['notes.md', 'added'], [PROMPT, 'modified']]);
    app.commands.run('compare.nextFile');
    await flushPromises();
    expect(texts()[1]).toBe('second');

    app.compare.revisions(skill(), 0, 1, PROMPT);
    await flushPromises();
    expect(active().info.leftLabel).toBe('Before the first revision');
    expect(active().files).toMatchObject([{ path: PROMPT, change: 'added' }]);
    expect(app.tabs.groups.tabs).toHaveLength(1);
  });

  it('give back one file, which Undo takes back', async () => {
    const first = core.find('timeline-builder').files.get(PROMPT)?.text;
    core.writeElsewhere('timeline-builder', PROMPT, 'second');
    core.writeElsewhere('timeline-builder', 'notes.md', 'a note');
    await wait();
    app.compare.revisions(skill(), 1, 3, null);
    await flushPromises();
    void active().info.actions.find((one) => one.label.startsWith('Restore'))?.run(PROMPT);
    await flushPromises();
    expect(core.find('timeline-builder').files.get(PROMPT)?.text).toBe(first);
    expect(core.find('timeline-builder').files.get('notes.md')?.text).toBe('a note');
    await app.actions.undoStack.undo();
    await flushPromises();
    expect(core.find('timeline-builder').files.get(PROMPT)?.text).toBe('second');
  });
});

describe('files', () => {
  it('are chosen first, then compared, with what is typed in them', async () => {
    await type('typed');
    const { scope, id } = skill('consistency-checker');
    const other = { key: { scope, id }, path: 'SKILL.md' };
    const mine = { key: { scope: skill().scope, id: skill().id }, path: PROMPT };
    expect(app.compare.mayCompareWith(mine)).toBe(false);
    app.compare.select(mine);
    expect(app.compare.mayCompareWith(mine)).toBe(false);
    app.compare.withSelected(other);
    await flushPromises();
    expect(texts()).toEqual(['typed', core.find('consistency-checker').files.get('SKILL.md')?.text]);
    expect(active().info.leftLabel).toContain('unsaved');
  });

  it('are compared with what is saved, and again when that changes', async () => {
    await type('typed');
    const document = app.tabs.document;
    if (document) app.compare.withSaved(document);
    await flushPromises();
    expect(texts()).toEqual([document?.file.text, 'typed']);
    core.writeElsewhere('timeline-builder', PROMPT, 'typed');
    await flushPromises();
    expect(texts()).toEqual(['typed', 'typed']);
  });
});

describe('the same skill elsewhere', () => {
  it('is compared by its copy', async () => {
    core.history.addCopy('timeline-builder', 'older', '~/.claude/skills', { [PROMPT]: 'as it was there' });
    const { copies } = await app.client.call('skill/locations', { skill: skill().id });
    if (copies[0]) app.compare.withCopy(skill(), copies[0]);
    await flushPromises();
    expect(active().info).toMatchObject({ leftLabel: '~/.claude/skills', title: 'Timeline Builder (Claude Code)' });
    await active().open(PROMPT);
    expect(texts()[0]).toBe('as it was there');
  });

  it('says when there is none', async () => {
    await app.compare.withOtherScope(skill());
    expect(app.toasts.list.at(-1)?.message).toBe('No other skill named timeline-builder found.');
    await app.compare.withParent(skill());
    expect(app.compare.active).toBeNull();
  });
});
