import { beforeEach, expect, it, vi } from 'vitest';
import { Toasts } from '$lib/components';
import { Notifications } from '$lib/workbench/notifications';
import { fail } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { AgentList } from './agentList.svelte';
import { SkillPick } from './skillPick.svelte';
import { TOOLS } from './tools';

let b: Bench;
let toasts: Toasts;
let agents: AgentList;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  toasts = new Toasts();
  agents = new AgentList(b.client, b.feed, toasts, new Notifications(toasts));
  await agents.load();
});

const names = (): string[] | undefined => agents.list?.map((one) => one.name);
const stored = (name: string): unknown => b.core.chats.agents.list.find((one) => one.name === name);

it('are created with a free name and renamed, and a name that exists is refused', async () => {
  await agents.create();
  await agents.create();
  expect([names(), agents.current?.name]).toEqual([['New agent', 'New agent 2'], 'New agent 2']);
  if (agents.current) await agents.rename(agents.current, ' auditor ');
  expect([names(), agents.current?.name]).toEqual([['New agent', 'auditor'], 'auditor']);
  if (agents.current) await agents.rename(agents.current, 'New agent');
  expect([names(), agents.current?.name]).toEqual([['New agent', 'auditor'], 'auditor']);
  expect(toasts.list.map(({ message }) => message)).toEqual(['Couldn’t rename auditor: agent "New agent" already exists']);
});

it('store notes while one types without a pause', async () => {
  await agents.create();
  const [agent] = agents.list ?? [];
  if (!agent) throw new Error('there is no agent');
  for (let count = 1; count <= 8; count += 1) {
    agents.type(agent, 'x'.repeat(count));
    await vi.advanceTimersByTimeAsync(100);
  }
  await flushPromises();
  expect(stored(agent.name)).toMatchObject({ notes: 'xxxxxxxx' });
});

it('store notes soon after typing, with what else was changed meanwhile', async () => {
  await agents.create();
  const [agent] = agents.list ?? [];
  if (!agent) throw new Error('there is no agent');
  agents.type(agent, 'Be');
  agents.type(agent, 'Be strict.');
  await agents.change(agent.name, { model: 'local/tiny' });
  b.core.emit('agent', [agent.name]);
  await flushPromises();
  expect(agents.current?.notes).toBe('Be strict.');
  await vi.advanceTimersByTimeAsync(700);
  await flushPromises();
  expect(stored(agent.name)).toMatchObject({ notes: 'Be strict.', model: 'local/tiny', tools: null });
  b.core.failing.set('agent/update', fail('limit', 'too long'));
  agents.type(agent, 'Be kind.');
  await agents.save();
  expect([agents.current?.notes, stored(agent.name)]).toMatchObject(['Be kind.', { notes: 'Be strict.' }]);
  b.core.failing.clear();
  await agents.rename(agent, 'friend');
  expect(stored('friend')).toMatchObject({ notes: 'Be kind.' });
});

it('keep the order of their skills as priorities, and show it before it is stored', async () => {
  await agents.create();
  const { name = '' } = agents.current ?? {};
  const pick = new SkillPick(b.catalog, agents);
  const [first] = pick.choices;
  await agents.order(name, ['tea-times']);
  if (first) await pick.choose(first);
  expect(stored(name)).toMatchObject({ skills: [{ slug: 'tea-times', priority: 2 }, { slug: first?.slug, priority: 1 }] });
  expect(pick.choices.map((one) => one.slug)).not.toContain(first?.slug);
  b.core.held.set('agent/update', []);
  void agents.order(name, [first?.slug ?? '', 'tea-times']);
  b.core.emit('agent', [name]);
  await flushPromises();
  expect(agents.current?.skills.map((one) => one.slug)).toEqual([first?.slug, 'tea-times']);
});

it('show what is stored if a change is refused', async () => {
  await agents.create();
  const { name = '' } = agents.current ?? {};
  b.core.failing.set('agent/update', fail('limit', 'too long'));
  await agents.change(name, { only: true });
  expect([agents.current?.only, toasts.list[0]?.message]).toEqual([false, 'Couldn’t change New agent: too long']);
});

it('come back with all they had', async () => {
  await agents.create();
  const agent = agents.current;
  if (!agent) throw new Error('there is no agent');
  await agents.order(agent.name, ['tea-times']);
  agents.type(agent, 'Be strict.');
  await agents.remove(agent);
  expect([names(), toasts.list[0]?.message]).toEqual([[], 'Deleted New agent']);
  await toasts.list[0]?.actions[0]?.run();
  expect(stored('New agent')).toMatchObject({ notes: 'Be strict.', skills: [{ slug: 'tea-times', priority: 1 }] });
  expect(agents.current?.name).toBe('New agent');
});

it('name every tool once', () => {
  expect(new Set(TOOLS.map((one) => one.label)).size).toBe(TOOLS.length);
});
