import { beforeEach, expect, it } from 'vitest';
import { type Bench, bench, fakeTimers } from '../../../../tests/support';
import type { Target } from '$lib/api/generated';
import { Notifications } from '$lib/workbench/notifications';
import { Toasts } from '$lib/components';
import { isKept, outcomeOf, stateOf } from './copyStatus';
import { DeployedCopies } from './deployedCopies.svelte';
import { Deployment } from './deployment.svelte';

let b: Bench;
let deployment: Deployment;
let copies: DeployedCopies;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  deployment = new Deployment(b.client);
  const toasts = new Toasts();
  copies = new DeployedCopies(b.client, toasts, new Notifications(toasts));
});

const skill = () => b.core.find('timeline-builder').summary;
const CLAUDE = '/home/ada/.claude/skills';

/** Deploys the skill and edits the copy. */
async function edited(): Promise<void> {
  await deployment.start([skill()]);
  await deployment.deploy();
  const { copies: all } = b.core.targets.deployments;
  for (const copy of all.values()) all.set(copy.path, { ...copy, status: 'drift', edited: ['SKILL.md'] });
  await copies.load();
}

const allCopies = () => copies.targets?.flatMap((target) => target.copies) ?? [];

function onlyCopy(): Target.DeployedCopy {
  const [copy] = allCopies();
  if (!copy) throw new Error('no copy');
  return copy;
}

it('previews the agents that exist, and writes only on request', async () => {
  await deployment.start([skill()]);
  expect(deployment.chosen).toEqual([CLAUDE]);
  expect(deployment.report?.copies.map(outcomeOf)).toEqual(['New']);
  expect(b.core.targets.deployments.copies.size).toBe(0);
  await deployment.choose('/home/ada/.codex/skills', true);
  expect(deployment.report?.copies.map(outcomeOf)).toEqual(['New', 'New, in a new folder']);
  await deployment.deploy();
  expect(deployment.deployed).toBe(true);
  expect(deployment.report?.copies.map(outcomeOf)).toEqual(['Deployed', 'Deployed']);
  deployment.close();
  expect(deployment.skills).toBeNull();
});

it('keeps an edited copy', async () => {
  await edited();
  await deployment.start([skill()]);
  expect(deployment.report?.copies.every(isKept)).toBe(true);
  expect(stateOf(onlyCopy())).toBe('Edited there: 1 file');
  await copies.pull(onlyCopy());
  expect(stateOf(onlyCopy())).toBe('Up to date');
});

it('asks for a version of files that were changed in both', async () => {
  await edited();
  b.core.targets.deployments.conflicts = ['SKILL.md'];
  await copies.pull(onlyCopy());
  expect(copies.conflict?.report.conflicts).toEqual(['SKILL.md']);
  expect(onlyCopy().status).toBe('drift');
  await copies.pull(onlyCopy(), 'theirs');
  expect(b.core.callsOf('target/pull').at(-1)).toMatchObject({ from: CLAUDE, theirs: ['SKILL.md'] });
  expect(copies.conflict).toBeNull();
  expect(onlyCopy().status).toBe('unchanged');
});

it('discards edits and removes copies on request', async () => {
  await edited();
  await copies.deploy(onlyCopy(), true);
  expect(onlyCopy().status).toBe('unchanged');
  await copies.remove(onlyCopy());
  expect(allCopies()).toEqual([]);
});
