import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, settle } from '../../../../tests/support';
import type { Variable } from '$lib/api/generated';
import { Preview, type PreviewTarget } from './preview.svelte';

let b: Bench;
let preview: Preview;
let text = '';

async function target(path = 'prompts/check-prompt.j2', slug = 'consistency-checker'): Promise<PreviewTarget> {
  const { summary, files } = b.core.find(slug);
  const { entry } = await b.client.call('file/read', { skill: summary.id, path });
  text = files.get(path)?.text ?? '';
  return { scope: 'account', skillId: summary.id, path, entry, length: text.length, text: () => text };
}

const variable = (name: string): Variable => {
  const found = preview.form.variables.find((one) => one.name === name);
  if (!found) throw new Error(`no variable ${name}`);
  return found;
};

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  preview = new Preview(b.client, b.feed);
});

it('shows the prompt with marks in place of what isn’t filled in', async () => {
  await preview.follow(await target());
  await settle();
  expect(preview.form.variables.map((one) => [one.name, one.shape])).toEqual([
    ['entity_name', 'text'],
    ['claims', 'list'],
  ]);
  expect(preview.empty).toEqual(['entity_name', 'claims']);
  expect(preview.variant?.text).toContain('about "‹entity_name›"');
  expect(preview.variant?.text).toContain('Claim 1 (from [[‹page_name›]]): ‹text›');
});

it('follows the form within 100 ms', async () => {
  await preview.follow(await target());
  await settle();
  preview.form.setField(variable('entity_name'), 'Aria');
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.variant?.text).toContain('about "Aria"');
  expect(preview.empty).toEqual(['claims']);
});

it('follows the unsaved text within 100 ms, and asks about new variables', async () => {
  await preview.follow(await target());
  await settle();
  text = 'Just {{ one_thing }}';
  preview.touch();
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.variant?.text).toBe('Just ‹one_thing›');
});

it('never has two renders under way, and ends with the last text', async () => {
  await preview.follow(await target());
  await settle();
  b.core.calls.length = 0;
  b.core.hold('prompt/render');
  for (const word of ['a', 'ab', 'abc']) {
    text = word;
    preview.touch();
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(b.core.callsOf('prompt/render')).toHaveLength(1);
  b.core.release('prompt/render');
  await settle();
  expect(preview.variant?.text).toBe('abc');
});

it('reads JSON fields, and goes on with the last good value', async () => {
  await preview.follow(await target());
  await settle();
  preview.form.setField(variable('claims'), '[{"page_name": "p", "text": "She is 30"}]');
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.variant?.text).toContain('She is 30');
  preview.form.setField(variable('claims'), '[{"page_name"');
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.form.fieldError(variable('claims'))).toContain('not valid JSON');
  expect(preview.form.fieldText(variable('claims'))).toBe('[{"page_name"');
  expect(preview.variant?.text).toContain('She is 30');
  preview.form.setField(variable('claims'), '{}');
  expect(preview.form.fieldError(variable('claims'))).toContain('list');
});

it('keeps the fields of the form while a tag is half typed', async () => {
  await preview.follow(await target());
  await settle();
  preview.form.setField(variable('entity_name'), 'Aria');
  text = 'About {{';
  preview.touch();
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.form.variables.map((one) => one.name)).toContain('entity_name');
  text = 'About {{ entity_name }}';
  preview.touch();
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.variant?.text).toBe('About Aria');
});

it('has a tab for each model variant', async () => {
  await preview.follow(await target());
  await settle();
  expect(preview.variants.map((one) => one.variant)).toEqual([null, 'anthropic']);
  preview.chooseVariant('prompts/check-prompt.anthropic.j2');
  expect(preview.variant?.text).toContain('<claims entity="‹entity_name›">');
});

it('carries the place of an error', async () => {
  await preview.follow(await target());
  await settle();
  text = 'fine\nbut {{ not closed';
  preview.touch();
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.variant?.error).toMatchObject({ line: 2, column: 5 });
  expect(preview.variant?.text).toBeNull();
});

describe('saved inputs', () => {
  it('bring back what was used last', async () => {
    await preview.follow(await target());
    await settle();
    preview.form.setField(variable('entity_name'), 'Aria');
    await vi.advanceTimersByTimeAsync(1_000);
    const again = new Preview(b.client, b.feed);
    await again.follow(await target());
    await settle();
    expect(again.variant?.text).toContain('about "Aria"');
  });

  it('keep the last values when another file is shown at once', async () => {
    const first = await target();
    await preview.follow(first);
    await settle();
    preview.form.setField(variable('entity_name'), 'Aria');
    await preview.follow(await target('prompts/order.j2', 'timeline-builder'));
    await settle();
    expect([...b.core.inputs.values()].flat()).toMatchObject([{ name: '', params: { entity_name: 'Aria' } }]);
    expect(b.core.callsOf('input/save')).toMatchObject([{ path: first.path }]);
  });

  it('are saved by name, chosen and deleted, and the deletion can be undone', async () => {
    await preview.follow(await target());
    await settle();
    preview.form.setField(variable('entity_name'), 'Aria');
    expect(await preview.form.saveInput('a heroine')).toBeNull();
    preview.form.setField(variable('entity_name'), 'Bren');
    await vi.advanceTimersByTimeAsync(100);
    preview.form.chooseInput('a heroine');
    await vi.advanceTimersByTimeAsync(100);
    expect(preview.variant?.text).toContain('about "Aria"');
    const deleted = await preview.form.deleteInput('a heroine');
    expect(preview.form.inputs.some((input) => input.name === 'a heroine')).toBe(false);
    expect(preview.form.chosenInput).toBe('');
    await preview.form.saveInput(deleted?.name ?? '', deleted?.params);
    expect(preview.form.inputs.find((input) => input.name === 'a heroine')?.params).toEqual({ entity_name: 'Aria' });
  });
});

it('ignores a reply about a file that isn’t shown any more', async () => {
  await preview.follow(await target());
  await settle();
  b.core.hold('prompt/render');
  preview.retry();
  await preview.follow(null);
  b.core.release('prompt/render');
  await settle();
  expect(preview.variants).toEqual([]);
});

it('says when rendering isn’t possible', async () => {
  b.core.failing.set('prompt/render', fail('internal', 'the engine stopped'));
  await preview.follow(await target());
  await settle();
  expect(preview.failure?.message).toBe('the engine stopped');
  b.core.failing.clear();
  preview.retry();
  await settle();
  expect(preview.failure).toBeNull();
});

it('does nothing for files that are no templates', async () => {
  await preview.follow(await target('dspy/dspy-checker.json'));
  await settle();
  expect(preview.active).toBe(false);
  expect(b.core.callsOf('prompt/render')).toHaveLength(0);
});

describe('values that were changed elsewhere', () => {
  async function typed(): Promise<PreviewTarget> {
    const one = await target();
    await preview.follow(one);
    await settle();
    preview.form.setField(variable('entity_name'), 'Aria');
    await vi.advanceTimersByTimeAsync(700);
    await settle();
    return one;
  }

  it('are in the form, as after a variable got another name', async () => {
    const { skillId, path } = await typed();
    await b.client.call('input/save', { skill: skillId, scope: 'account', path, name: '', params: { person: 'Aria' } });
    b.core.emit('input', [`consistency-checker/${path}`]);
    await settle();
    expect(preview.form.params()).toEqual({ person: 'Aria' });
  });

  it('don’t take away what is typed meanwhile', async () => {
    const { skillId, path } = await typed();
    b.core.hold('input/list');
    await b.client.call('input/save', { skill: skillId, scope: 'account', path, name: '', params: { entity_name: 'Bren' } });
    b.core.emit('input', [`consistency-checker/${path}`]);
    preview.form.setField(variable('entity_name'), 'Cleo');
    b.core.release('input/list');
    await settle();
    expect(preview.form.params()).toEqual({ entity_name: 'Cleo' });
  });
});
