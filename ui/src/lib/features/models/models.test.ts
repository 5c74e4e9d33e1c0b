import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail } from '../../../../tests/fake/core';
import { type Client, Models } from '$lib/api';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { ModelPick } from './modelPick.svelte';
import { ModelSettings } from './modelSettings.svelte';

let b: Bench;
let settings: ModelSettings;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  await b.models.load();
  settings = new ModelSettings(b.client, b.models);
});

const form = (): NonNullable<typeof settings.form> => {
  if (!settings.form) throw new Error('the form isn’t open');
  return settings.form;
};

it('a later question has the later answer, whichever comes first', async () => {
  const waiting: ((setup: unknown) => void)[] = [];
  const client = { call: () => new Promise((resolve) => waiting.push(resolve)) } as unknown as Client;
  const models = new Models(client, b.feed);
  const asked = [models.load(), models.load()];
  const setup = (name: string) => ({ default: `${name}/one`, providers: [], kinds: [] });
  waiting[1]?.(setup('late'));
  waiting[0]?.(setup('early'));
  await Promise.all(asked);
  expect(models.default).toBe('late/one');
});

describe('setting up a provider', () => {
  it('begins with the defaults of its kind', () => {
    settings.add();
    expect(form()).toMatchObject({ fields: { name: 'anthropic' }, key: { fromVariable: false, variable: 'ANTHROPIC_API_KEY' }, keyIsOptional: false });
    form().chooseKind('ollama');
    expect(form()).toMatchObject({ fields: { name: 'ollama' }, keyIsOptional: true });
    form().chooseKind('openai-compatible');
    expect(form()).toMatchObject({ fields: { name: 'server' }, keyIsOptional: true });
  });

  it('sends the key once, apart from the rest, and forgets it', async () => {
    settings.add();
    const open = form();
    open.key.value = ' sk-1 ';
    open.fields.models = 'claude-sonnet\nclaude-haiku, claude-sonnet';
    await settings.submit();
    expect(b.core.callsOf('model/put')).toMatchObject([{ name: 'anthropic', key: { from: 'stored' }, models: ['claude-sonnet', 'claude-haiku'] }]);
    expect(JSON.stringify(b.core.callsOf('model/put'))).not.toContain('sk-1');
    expect(b.core.callsOf('model/set_key')).toEqual([{ name: 'anthropic', key: 'sk-1' }]);
    expect(open.key.value).toBe('');
    expect(settings.form).toBeNull();
    expect(b.models).toMatchObject({ default: 'anthropic/claude-sonnet', setup: { providers: [{ key_state: 'stored' }] } });
  });

  it('says at each field what is wrong, before and after asking', async () => {
    settings.add();
    form().chooseKind('openai-compatible');
    form().fields.timeout = 'soon';
    form().prices.add();
    await settings.submit();
    expect(Object.keys(form().problems)).toEqual(['base_url', 'timeout_seconds', 'prices']);
    expect(b.core.callsOf('model/put')).toEqual([]);
    Object.assign(form().fields, { address: 'http://127.0.0.1:1/v1', timeout: '', name: 'My server' });
    form().prices.remove(0);
    await settings.submit();
    expect(form().problems).toEqual({ name: 'a name has small letters, digits and hyphens' });
  });

  it('asks for a key that is to be stored, but not again', async () => {
    settings.add();
    await settings.submit();
    expect(form().problems).toEqual({ key: 'Enter an API key.' });
    b.core.runs.addProvider('work', ['m'], { key: { from: 'stored' }, key_state: 'stored' });
    await b.models.load();
    settings.edit(b.core.runs.provider('work'));
    await settings.submit();
    expect(settings.form).toBeNull();
    expect(b.core.callsOf('model/set_key')).toEqual([]);
  });

  it('keeps own prices, with what the form doesn’t show', async () => {
    b.core.runs.addProvider('work', ['m'], { prices: { m: { input: 1, output: 2, cached: 0.1 } } });
    await b.models.load();
    settings.edit(b.core.runs.provider('work'));
    expect(form().prices.rows).toEqual([{ model: 'm', input: '1', output: '2' }]);
    for (const row of form().prices.rows) row.output = '2.5';
    await settings.submit();
    expect(b.core.callsOf('model/put')).toMatchObject([{ prices: { m: { input: 1, output: 2.5, cached: 0.1 } } }]);
  });

  it('of a server that was found takes its address and models', async () => {
    await settings.discovery.start();
    expect(settings.discovery.found).toHaveLength(1);
    settings.add(settings.discovery.found[0]);
    expect(form()).toMatchObject({ fields: { kind: 'ollama', address: '', models: 'llama3.2' } });
    await settings.submit();
    expect(b.models.default).toBe('ollama/llama3.2');
    expect(settings.discovery.found).toEqual([]);
  });

  it('that lists no models asks for one to begin with', async () => {
    settings.add();
    form().chooseKind('ollama');
    await settings.submit();
    expect(b.models.default).toBe('ollama/claude-opus');
  });

  it('whose models can’t be listed is kept, and its form stays open with the reason', async () => {
    settings.add();
    form().key.value = 'sk-wrong';
    b.core.failing.set('model/offered', fail('io', 'the key was refused'));
    await settings.submit();
    expect(form().known?.name).toBe('anthropic');
    expect(settings.unreachable?.message).toBe('the key was refused');
    expect(b.models.setup?.providers).toHaveLength(1);
    b.core.failing.clear();
    form().key.value = 'sk-right';
    await settings.submit();
    expect(settings.form).toBeNull();
    expect(b.core.callsOf('model/set_key').map((call) => call['key'])).toEqual(['sk-wrong', 'sk-right']);
  });

  it('has a key only if one is typed, where the server may need none', async () => {
    settings.add();
    form().chooseKind('openai-compatible');
    Object.assign(form().fields, { address: 'localhost:1', models: 'm' });
    await settings.submit();
    expect(b.core.callsOf('model/put')).toMatchObject([{ key: { from: 'none' } }]);
  });

  it('shows a failure that names no field', async () => {
    settings.add();
    form().key.value = 'sk-1';
    b.core.failing.set('model/put', fail('io', 'the disk is full'));
    await settings.submit();
    expect(form()).toMatchObject({ busy: false, failure: { message: 'the disk is full' } });
  });
});

describe('a provider', () => {
  beforeEach(async () => {
    b.core.runs.addProvider();
    await b.models.load();
  });

  it('is tried out with the model that is in use', async () => {
    await settings.test('claude');
    expect(b.core.callsOf('model/test')).toEqual([{ target: 'claude/claude-sonnet' }]);
    expect(settings.trials.get('claude')).toMatchObject({ busy: false, report: { ok: true, reply: 'ok' } });
    b.core.failing.set('model/test', fail('noModel', 'API key missing'));
    await settings.test('claude');
    expect(settings.trials.get('claude')).toMatchObject({ report: null, failure: { code: 'noModel' } });
  });

  it('is removed after a question, and stays when that fails', async () => {
    settings.removal.provider = b.core.runs.provider('claude');
    b.core.failing.set('model/remove', fail('io', 'no'));
    await settings.removal.confirm();
    expect(settings.removal.provider).not.toBeNull();
    b.core.failing.clear();
    await settings.removal.confirm();
    expect(settings.removal.provider).toBeNull();
    expect(b.models.setup?.providers).toEqual([]);
  });

  it('that another window set up is noticed', async () => {
    b.core.runs.addProvider('ollama', ['llama']);
    b.core.emit('setting', ['ui.theme']);
    await flushPromises();
    expect(b.models.provider('ollama')).toBeUndefined();
    b.core.emit('setting', ['models']);
    await flushPromises();
    expect(b.models.provider('ollama')).toBeDefined();
  });
});

describe('the choice of a model', () => {
  let pick: ModelPick;
  const models = (): string[] => pick.choices.map((one) => one.model);

  beforeEach(async () => {
    b.core.runs.addProvider();
    b.core.runs.addProvider('work', ['a/b'], { key_state: 'missing' });
    await b.models.load();
    pick = new ModelPick(b.models);
  });

  it('has what is listed at once, and what is offered once that is known', async () => {
    b.core.hold('model/offered');
    pick.start('Choose a model');
    expect(models()).toEqual(['claude/claude-sonnet', 'claude/claude-haiku', 'work/a/b']);
    expect(pick.busy).toBe(true);
    b.core.release('model/offered');
    await flushPromises();
    expect(models()).toContain('claude/claude-opus');
    expect(pick.busy).toBe(false);
    // One whose key is missing isn't asked.
    expect(b.core.callsOf('model/offered')).toEqual([{ name: 'claude' }]);
    expect(pick.choices.find((one) => one.isDefault)?.model).toBe('claude/claude-sonnet');
  });

  it('finds by words, and takes what was typed in full', () => {
    pick.start('Choose a model');
    pick.query = 'haiku';
    expect(models()).toEqual(['claude/claude-haiku']);
    pick.query = 'claude/new-model';
    expect(pick.choices.at(-1)).toMatchObject({ model: 'claude/new-model', typed: true });
    pick.query = 'nobody/model';
    expect(models()).toEqual([]);
  });

  it('stores the default', async () => {
    expect(await b.models.choose('claude/claude-haiku')).toBeNull();
    expect(b.models.default).toBe('claude/claude-haiku');
    b.core.failing.set('model/set_default', fail('io', 'no'));
    expect(await b.models.choose('work/a/b')).toMatchObject({ code: 'io' });
    expect(b.models.default).toBe('claude/claude-haiku');
  });

  it('goes on when a provider doesn’t answer', async () => {
    b.core.failing.set('model/offered', fail('model', 'not reachable'));
    pick.start('Choose a model');
    await flushPromises();
    expect(pick.busy).toBe(false);
    expect(models()).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(0);
    expect(b.models.offer('claude')?.failure?.message).toBe('not reachable');
  });
});
