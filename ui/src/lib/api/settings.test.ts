import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bench, fakeTimers, flushPromises } from '../../../tests/support';

const KEY = 'ui.layout';
const DELAY_MS = 250;

beforeEach(fakeTimers);

async function changed(value: string): ReturnType<typeof bench> {
  const made = await bench();
  made.core.settings[KEY] = 'closed';
  await made.settings.load();
  made.settings.set(KEY, value, DELAY_MS);
  return made;
}

describe('settings', () => {
  it('follow what another program sets', async () => {
    const { core, settings } = await bench();
    core.settings[KEY] = 'open';
    core.emit('setting', [KEY], 'account', 'elsewhere');
    await flushPromises();
    expect(settings.get(KEY)).toBe('open');
  });

  it('keep a value while it is written, whatever is read meanwhile', async () => {
    const { core, settings } = await changed('open');
    core.hold('settings/set');
    await vi.advanceTimersByTimeAsync(DELAY_MS);
    core.emit('setting', ['other'], 'account', 'elsewhere');
    await flushPromises();
    expect(core.settings[KEY]).toBe('closed');
    expect(settings.get(KEY)).toBe('open');
    core.release('settings/set');
    await flushPromises();
    expect(settings.get(KEY)).toBe('open');
  });

  it('keep a written value when an older reply comes after the write', async () => {
    const { core, settings } = await changed('open');
    core.hold('settings/get');
    core.emit('setting', ['other'], 'account', 'elsewhere');
    await vi.advanceTimersByTimeAsync(DELAY_MS);
    await flushPromises();
    expect(core.settings[KEY]).toBe('open');
    core.settings[KEY] = 'closed';
    core.release('settings/get');
    await flushPromises();
    expect(settings.get(KEY)).toBe('open');

    // What is asked for after the write counts.
    await settings.load();
    expect(settings.get(KEY)).toBe('closed');
  });

  it('are written one after the other, so that the last value stays', async () => {
    const { core, settings } = await changed('open');
    core.hold('settings/set');
    await vi.advanceTimersByTimeAsync(DELAY_MS);
    settings.set(KEY, 'closed again', DELAY_MS);
    await vi.advanceTimersByTimeAsync(DELAY_MS);
    await flushPromises();
    expect(core.callsOf('settings/set')).toHaveLength(1);
    core.release('settings/set');
    await flushPromises();
    expect(core.callsOf('settings/set').map(({ value }) => value)).toEqual(['open', 'closed again']);
    expect(core.settings[KEY]).toBe('closed again');
    expect(settings.get(KEY)).toBe('closed again');
  });
});
