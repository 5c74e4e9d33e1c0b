import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, FakeCore } from '../../../../tests/fake/core';
import { FINGERPRINT } from '../../../../tests/fake/marketplace';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';
import { groupedFingerprint, isExpired, isSameFingerprint, shortKey } from './labels';
import { permissionChip, permissionSentence } from './permissions';
import { entries } from './settings';

const REGISTRY = 'skills.example.org';

let core: FakeCore;
let app: Services;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await app.marketplace.registries.load();
});

const messages = (): string[] => app.toasts.list.map((toast) => toast.message);

describe('adding a registry', () => {
  it('needs a comparison of its fingerprint', async () => {
    const form = app.registryForm;
    form.start();
    form.address = ' https://skills.example.org ';
    await form.submit();
    expect([form.identity?.id, form.canAdd]).toEqual([REGISTRY, false]);
    form.expected = 'f'.repeat(64);
    expect([form.matches, form.canAdd]).toEqual([false, false]);
    form.compared = true;
    expect(form.canAdd).toBe(false);
    form.expected = `SHA256:${groupedFingerprint(FINGERPRINT).toUpperCase()}`;
    expect([form.matches, form.canAdd]).toEqual([true, true]);
    await form.submit();
    await flushPromises();
    expect([form.isOpen, app.marketplace.registries.list?.map(({ id }) => id), messages()]).toEqual([false, [REGISTRY], [`Added Skills of ${REGISTRY}`]]);
  });

  it('is enough with a yes if no other fingerprint is pasted', async () => {
    const form = app.registryForm;
    form.start();
    form.address = 'https://skills.example.org';
    await form.submit();
    form.compared = true;
    expect(form.canAdd).toBe(true);
  });

  it('says why it failed and keeps the dialog', async () => {
    core.failing.set('registry/inspect', fail('io', 'skills.example.org doesn’t answer', { hint: 'check the address' }));
    const form = app.registryForm;
    form.start();
    form.address = 'https://skills.example.org';
    await form.submit();
    expect([form.isOpen, form.identity, form.call.failure?.hint]).toEqual([true, null, 'check the address']);
  });

  it('isn’t offered for a known registry', async () => {
    core.marketplace.addRegistry(REGISTRY);
    const form = app.registryForm;
    form.start();
    form.address = 'https://skills.example.org';
    await form.submit();
    form.compared = true;
    expect([form.identity?.is_known, form.canAdd]).toEqual([true, false]);
  });
});

describe('a registry', () => {
  beforeEach(async () => {
    core.marketplace.addRegistry(REGISTRY);
    await app.marketplace.registries.load();
  });

  it('is synced, and says so', async () => {
    expect(app.marketplace.registries.isSynced).toBe(false);
    await app.marketplace.sync();
    expect([messages(), app.marketplace.registries.isSynced]).toEqual([['Synced 1 registry'], true]);
  });

  it('that can’t be synced is reported once, and shown in the view', async () => {
    core.marketplace.unreachable.set(REGISTRY, { failure: { code: 'invalid', message: 'the signature is wrong', hint: 'ask its owner' }, isOffline: false });
    await app.marketplace.sync();
    expect([messages(), app.marketplace.registries.list?.[0]?.failure?.hint]).toEqual([[`Couldn’t sync Skills of ${REGISTRY}: the signature is wrong`], 'ask its owner']);
    app.toasts.list = [];
    await app.marketplace.open();
    await app.marketplace.sync();
    expect(messages()).toEqual([]);
  });

  it('is changed', async () => {
    const [registry] = app.marketplace.registries.list ?? [];
    if (!registry) throw new Error('no registry');
    app.registryEditor.start(registry);
    app.registryEditor.priority = 'high';
    expect(app.registryEditor.hasPriority).toBe(false);
    [app.registryEditor.priority, app.registryEditor.mirrors] = ['-2', 'https://one.example.org\n\n https://two.example.org '];
    await app.registryEditor.save();
    expect([app.registryEditor.subject, core.callsOf('registry/change')]).toEqual([null, [{ registry: REGISTRY, mirrors: ['https://one.example.org', 'https://two.example.org'], priority: -2 }]]);
  });

  it('comes back as it was after it was removed', async () => {
    const { registries } = app.marketplace;
    await registries.change({ registry: REGISTRY, enabled: false, updates_built_in: true, priority: 3 });
    const [before] = registries.list ?? [];
    if (!before) throw new Error('no registry');
    await registries.remove(REGISTRY);
    expect(registries.list).toEqual([]);
    await registries.restore(before);
    expect(registries.list?.[0]).toMatchObject({ id: REGISTRY, enabled: false, updates_built_in: true, priority: 3 });
  });

  it('that was synced in the background is noticed', async () => {
    const refresh = vi.spyOn(app.marketplace, 'refresh');
    const [registry] = core.marketplace.registries;
    if (registry) registry.serial = 7;
    core.emit('registry', [REGISTRY]);
    await vi.advanceTimersByTimeAsync(1_000);
    await flushPromises();
    expect(app.marketplace.registries.list?.[0]?.serial).toBe(7);
    expect(refresh).toHaveBeenCalled();
  });
});

describe('settings', () => {
  it('share one value', () => {
    const all = entries(app);
    const control = (id: string) => all.find((one) => one.id === id)?.control;
    const [launch, hours] = [control('syncOnLaunch'), control('syncHours')];
    if (launch?.kind !== 'switch' || hours?.kind !== 'number') throw new Error('other controls');
    launch.turn(false);
    hours.setting.type('sync_hours', '12');
    vi.advanceTimersByTime(1_000);
    expect(app.settings.get('marketplace')).toEqual({ sync_on_launch: false, sync_hours: 12 });
    launch.reset();
    hours.setting.reset('sync_hours');
    vi.advanceTimersByTime(1_000);
    expect(app.settings.get('marketplace')).toBeNull();
  });
});

describe('words', () => {
  it('say what a permission means', () => {
    expect(['code', 'native-scripts', 'llm', 'network', 'tools:search', 'integrations:mail', 'other'].map(permissionSentence)).toEqual([
      'Runs Python scripts in the sandbox',
      'Contains scripts that run outside of the sandbox',
      'Asks a language model, which may cost money',
      'Reaches other computers',
      'Uses the tool search',
      'Uses the integration mail',
      'Needs the permission other',
    ]);
    expect(['code', 'tools:search', 'other'].map(permissionChip)).toEqual(['Scripts', 'search', 'other']);
  });

  it('shorten keys and compare fingerprints', () => {
    expect(shortKey(`ed25519:${'0123456789abcdef'.repeat(4)}`)).toBe('01234567…cdef');
    expect(isSameFingerprint('sha256:AB CD', 'abcd')).toBe(true);
    expect(isSameFingerprint('abce', 'abcd')).toBe(false);
    expect(isExpired({ expires_at: '2026-01-01T00:00:00.000Z' }, Date.UTC(2026, 0, 2))).toBe(true);
    expect(isExpired({ expires_at: null })).toBe(false);
  });
});
