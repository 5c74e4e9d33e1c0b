import { vi } from 'vitest';
import { Catalog, Client, ChangeFeed, Models, Settings } from '$lib/api';
import { FakeCore } from './fake/core';
import type { Seed } from './fake/seed';

/** A window without a window: the parts under test over the in-memory core. */
export interface Bench {
  core: FakeCore;
  client: Client;
  feed: ChangeFeed;
  catalog: Catalog;
  settings: Settings;
  models: Models;
}

export async function bench(seeds?: readonly Seed[]): Promise<Bench> {
  const core = new FakeCore(seeds);
  const client = new Client(core);
  const feed = new ChangeFeed();
  await feed.start(core, () => client.workspace);
  const catalog = new Catalog(client, feed);
  const settings = new Settings(client, feed);
  await settings.load();
  await catalog.reload();
  const models = new Models(client, feed);
  return { core, client, feed, catalog, settings, models };
}

/** Lets replies arrive and what they cause happen; no timer passes. */
export async function flushPromises(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
  // A digest is computed outside of the event loop's timers.
  await new Promise<void>((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
  await vi.advanceTimersByTimeAsync(0);
}

export const fakeTimers = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
};
