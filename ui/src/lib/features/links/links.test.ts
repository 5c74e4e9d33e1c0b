import { expect, it, vi } from 'vitest';
import type { ChangeFeed, Client } from '$lib/api';
import type { ChangeEvent, Link } from '$lib/api/generated';
import { Links } from './links.svelte';

const link = (id: string, agent: string | null, stored = true): Link.LinkedSkill => ({
  id,
  scope: 'account',
  folder: `/home/ann/${id}`,
  agent,
  agent_name: agent,
  problem: stored ? null : 'another skill has its name',
  is_stored: stored,
});

it('reads the linked skills when links change, and knows their agents', async () => {
  const listeners = new Map<string, (event: Pick<ChangeEvent, 'ids'>) => void>();
  const feed = { on: (kind: string, listener: (event: Pick<ChangeEvent, 'ids'>) => void) => listeners.set(kind, listener) } as unknown as ChangeFeed;
  let links = [link('one', 'Claude Code'), link('two', 'Claude Code'), link('three', null), link('four', 'Codex', false)];
  const client = { workspace: null, call: vi.fn(() => Promise.resolve({ links, git: null })) } as unknown as Client;
  const linked = new Links(client, feed);
  linked.reload();
  await vi.waitFor(() => expect(linked.list).toHaveLength(4));
  expect(linked.stored.map(({ id }) => id)).toEqual(['one', 'two', 'three']);
  expect(linked.agents).toEqual(['Claude Code']);
  expect(linked.of({ scope: 'account', id: 'two' })?.folder).toBe('/home/ann/two');
  expect(linked.of({ scope: 'workspace', id: 'two' })).toBeNull();
  links = [];
  listeners.get('link')?.({ ids: ['one'] });
  await vi.waitFor(() => expect(linked.list).toHaveLength(0));
});
