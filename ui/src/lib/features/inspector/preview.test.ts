import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import type { Prompt } from '$lib/api/generated';
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

const variable = (name: string): Prompt.Variable => {
  const found = preview.form.fields.variables.find((one) => one.name === name);
  if (!found) throw new Error(`no variable ${name}`);
  return found;
};

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  preview = new Preview(b.client, b.feed);
});

it('shows the prompt with placeholders for empty fields', async () => {
  await preview.follow(await target());
  await flushPromises();
  expect(preview.form.fields.variables.map((one) => [one.name, one.shape])).toEqual([
    ['entity_name', 'text'],
    ['claims', 'list'],
  ]);
  expect(preview.empty).toEqual(['entity_name', 'claims']);
  expect(preview.variant?.text).toContain('about "‹entity_name›"');
  expect(preview.variant?.text).toContain('Claim 1 (from [[‹page_name›]]): ‹text›');
});

it('follows the form within 100 ms', async () => {
  await preview.follow(await target());
  await flushPromises();
  preview.form.fields.set(variable('entity_name'), 'Aria');
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.variant?.text).toContain('about "Aria"');
  expect(preview.empty).toEqual(['claims']);
});

it('follows the unsaved text within 100 ms, and adds new variables to the form', async () => {
  await preview.follow(await target());
  await flushPromises();
  text = 'Just {{ one_thing }}';
  preview.touch();
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.variant?.text).toBe('Just ‹one_thing›');
});

it('never has two renders under way, and ends with the last text', async () => {
  await preview.follow(await target());
  await flushPromises();
  b.core.calls.length = 0;
  b.core.hold('prompt/render');
  for (const word of ['a', 'ab', 'abc']) {
    text = word;
    preview.touch();
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(b.core.callsOf('prompt/render')).toHaveLength(1);
  b.core.release('prompt/render');
  await flushPromises();
  expect(preview.variant?.text).toBe('abc');
});

it('parses JSON fields, and keeps the last valid value', async () => {
  await preview.follow(await target());
  await flushPromises();
  preview.form.fields.set(variable('claims'), '[{"page_name": "p", "text": "She is 30"}]');
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.variant?.text).toContain('She is 30');
  preview.form.fields.set(variable('claims'), '[{"page_name"');
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.form.fields.error(variable('claims'))).toContain('not valid JSON');
  expect(preview.form.fields.text(variable('claims'))).toBe('[{"page_name"');
  expect(preview.variant?.text).toContain('She is 30');
  preview.form.fields.set(variable('claims'), '{}');
  expect(preview.form.fields.error(variable('claims'))).toContain('list');
});

it('keeps the fields of the form while a tag is incomplete', async () => {
  await preview.follow(await target());
  await flushPromises();
  preview.form.fields.set(variable('entity_name'), 'Aria');
  text = 'About {{';
  preview.touch();
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.form.fields.variables.map((one) => one.name)).toContain('entity_name');
  text = 'About {{ entity_name }}';
  preview.touch();
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.variant?.text).toBe('About Aria');
});

describe('an example of the skill', () => {
  const params = { entity_name: 'Ansel', claims: [{ page_name: 'Calder', text: 'He was a constable.' }] };

  beforeEach(async () => {
    const { skillId: skill, path } = await target();
    b.core.addInput({ skill }, path, { name: 'Age and Date', params, updated_at: '', example: 'examples/age.json' });
  });

  it('fills the form until there are last used values, and is not stored before it is changed', async () => {
    await preview.follow(await target());
    await flushPromises();
    expect(preview.variant?.text).toContain('about "Ansel"');
    expect(preview.form.inputs.chosen).toBe('Age and Date');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(b.core.callsOf('input/save')).toHaveLength(0);
    preview.form.fields.set(variable('entity_name'), 'Aria');
    expect(preview.form.inputs.chosen).toBe('');
    await vi.advanceTimersByTimeAsync(2_000);
    await preview.follow(null);
    await preview.follow(await target());
    await flushPromises();
    expect(preview.form.inputs.chosen).toBe('');
    expect(preview.variant?.text).toContain('about "Aria"');
  });

  it('has the value of a field that was cleared', async () => {
    await preview.follow(await target());
    await flushPromises();
    preview.form.fields.clear(variable('claims'));
    expect(preview.form.inputs.sampleOf('claims')).toEqual(params.claims);
    expect(preview.form.inputs.sampleOf('missing')).toBeUndefined();
  });
});

it('has a tab for each model variant', async () => {
  await preview.follow(await target());
  await flushPromises();
  expect(preview.variants.map((one) => one.variant)).toEqual([null, 'anthropic']);
  preview.chooseVariant('prompts/check-prompt.anthropic.j2');
  expect(preview.variant?.text).toContain('<claims entity="‹entity_name›">');
});

it('has the position of an error', async () => {
  await preview.follow(await target());
  await flushPromises();
  text = 'fine\nbut {{ not closed';
  preview.touch();
  await vi.advanceTimersByTimeAsync(100);
  expect(preview.variant?.error).toMatchObject({ line: 2, column: 5 });
  expect(preview.variant?.text).toBeNull();
});

describe('saved inputs', () => {
  it('restores the last used values', async () => {
    await preview.follow(await target());
    await flushPromises();
    preview.form.fields.set(variable('entity_name'), 'Aria');
    await vi.advanceTimersByTimeAsync(1_000);
    const again = new Preview(b.client, b.feed);
    await again.follow(await target());
    await flushPromises();
    expect(again.variant?.text).toContain('about "Aria"');
  });

  it('are stored while one types without a pause', async () => {
    await preview.follow(await target());
    await flushPromises();
    for (let count = 1; count <= 8; count += 1) {
      preview.form.fields.set(variable('entity_name'), 'A'.repeat(count));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(b.core.callsOf('input/save').map(({ params }) => params)).toEqual([{ entity_name: 'AAAA' }, { entity_name: 'AAAAAAAA' }]);
  });

  it('keep the last values when another file is shown at once', async () => {
    const first = await target();
    await preview.follow(first);
    await flushPromises();
    preview.form.fields.set(variable('entity_name'), 'Aria');
    await preview.follow(await target('prompts/order.j2', 'timeline-builder'));
    await flushPromises();
    expect([...b.core.inputs.values()].flat()).toMatchObject([{ name: '', params: { entity_name: 'Aria' } }]);
    expect(b.core.callsOf('input/save')).toMatchObject([{ path: first.path }]);
  });

  it('are stored at once by a flush, the newest last', async () => {
    await preview.follow(await target());
    await flushPromises();
    b.core.hold('input/save');
    preview.form.fields.set(variable('entity_name'), 'Aria');
    await vi.advanceTimersByTimeAsync(1_000);
    preview.form.fields.set(variable('entity_name'), 'Bren');
    const stored = vi.fn();
    const flushed = preview.form.flush().then(stored);
    await flushPromises();
    expect(stored).not.toHaveBeenCalled();
    b.core.release('input/save');
    await flushed;
    expect(b.core.callsOf('input/save').map(({ params }) => params)).toEqual([{ entity_name: 'Aria' }, { entity_name: 'Bren' }]);
  });

  it('are read once those that are being saved are stored', async () => {
    await preview.follow(await target());
    await flushPromises();
    b.core.hold('input/save');
    preview.form.fields.set(variable('entity_name'), 'Aria');
    const followed = preview.follow(await target());
    await flushPromises();
    b.core.release('input/save');
    await followed;
    await flushPromises();
    expect(preview.form.fields.params()).toEqual({ entity_name: 'Aria' });
  });

  it('are saved by name, chosen and deleted, and the deletion can be undone', async () => {
    await preview.follow(await target());
    await flushPromises();
    preview.form.fields.set(variable('entity_name'), 'Aria');
    expect(await preview.form.inputs.save('a heroine', preview.form.fields.params())).toBeNull();
    preview.form.fields.set(variable('entity_name'), 'Bren');
    await vi.advanceTimersByTimeAsync(100);
    preview.form.inputs.choose('a heroine');
    await vi.advanceTimersByTimeAsync(100);
    expect(preview.variant?.text).toContain('about "Aria"');
    const deleted = await preview.form.inputs.delete('a heroine');
    expect(preview.form.inputs.list.some((input) => input.name === 'a heroine')).toBe(false);
    expect(preview.form.inputs.chosen).toBe('');
    await preview.form.inputs.save(deleted?.name ?? '', deleted?.params ?? {});
    expect(preview.form.inputs.list.find((input) => input.name === 'a heroine')?.params).toEqual({ entity_name: 'Aria' });
  });
});

it('drops a reply about a file that isn’t shown any more', async () => {
  await preview.follow(await target());
  await flushPromises();
  b.core.hold('prompt/render');
  preview.retry();
  await preview.follow(null);
  b.core.release('prompt/render');
  await flushPromises();
  expect(preview.variants).toEqual([]);
});

it('shows why rendering isn’t possible', async () => {
  b.core.failing.set('prompt/render', fail('internal', 'the engine stopped'));
  await preview.follow(await target());
  await flushPromises();
  expect(preview.failure?.message).toBe('the engine stopped');
  b.core.failing.clear();
  preview.retry();
  await flushPromises();
  expect(preview.failure).toBeNull();
});

it('does nothing for files that aren’t templates', async () => {
  await preview.follow(await target('dspy/dspy-checker.json'));
  await flushPromises();
  expect(preview.active).toBe(false);
  expect(b.core.callsOf('prompt/render')).toHaveLength(0);
});

describe('values that were changed elsewhere', () => {
  async function typed(): Promise<PreviewTarget> {
    const one = await target();
    await preview.follow(one);
    await flushPromises();
    preview.form.fields.set(variable('entity_name'), 'Aria');
    await vi.advanceTimersByTimeAsync(700);
    await flushPromises();
    return one;
  }

  it('are in the form, such as after renaming a variable', async () => {
    const { skillId, path } = await typed();
    await b.client.call('input/save', { skill: skillId, scope: 'account', path, name: '', params: { person: 'Aria' } });
    b.core.emit('input', [`consistency-checker/${path}`]);
    await flushPromises();
    expect(preview.form.fields.params()).toEqual({ person: 'Aria' });
  });

  it('don’t replace values that are typed meanwhile', async () => {
    const { skillId, path } = await typed();
    b.core.hold('input/list');
    await b.client.call('input/save', { skill: skillId, scope: 'account', path, name: '', params: { entity_name: 'Bren' } });
    b.core.emit('input', [`consistency-checker/${path}`]);
    preview.form.fields.set(variable('entity_name'), 'Cleo');
    b.core.release('input/list');
    await flushPromises();
    expect(preview.form.fields.params()).toEqual({ entity_name: 'Cleo' });
  });
});
