import { beforeEach, expect, it } from 'vitest';
import { type Bench, bench, fakeTimers } from '../../../../tests/support';
import type { Target } from '$lib/api/generated';
import { Notifications } from '$lib/workbench/notifications';
import { Toasts } from '$lib/components';
import { isKept, outcomeOf, stateOf } from './copyStatus';
import { CopyReview } from './copyReview.svelte';
import { DeployedCopies } from './deployedCopies.svelte';
import { Deployment } from './deployment.svelte';
import { Kits } from './kits.svelte';

let b: Bench;
let deployment: Deployment;
let copies: DeployedCopies;
let toasts: Toasts;
let review: CopyReview;
let kits: Kits;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  deployment = new Deployment(b.client);
  toasts = new Toasts();
  const notifications = new Notifications(toasts);
  review = new CopyReview(b.client);
  copies = new DeployedCopies(b.client, toasts, notifications, review);
  kits = new Kits(b.client, toasts, notifications);
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
  expect(deployment.options.to).toEqual([CLAUDE]);
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

it('says that a skill was updated although its copy couldn’t be', async () => {
  await edited();
  b.core.targets.deployments.copyFailure = { code: 'exists', message: 'the copy changed meanwhile', hint: 'check the copy, then try again' };
  await copies.pull(onlyCopy());
  expect(toasts.list.map(({ message, tone }) => [message, tone])).toEqual([['Updated timeline-builder, but not the copy: the copy changed meanwhile', 'error']]);
  expect(onlyCopy().status).toBe('drift');
});

it('asks for a version of files that were changed in both', async () => {
  await edited();
  b.core.targets.deployments.conflicts = ['SKILL.md'];
  await copies.pull(onlyCopy());
  expect(review.changes).toEqual([{ path: 'SKILL.md', by: 'conflict' }]);
  expect(onlyCopy().status).toBe('drift');
  expect(review.choices).toEqual({ theirs: [], ours: ['SKILL.md'] });
  review.choose('SKILL.md', true);
  expect((await review.versions(onlyCopy(), 'SKILL.md')).theirs.text).toBe('two');
  const { choices } = review;
  review.close();
  await copies.pull(onlyCopy(), choices);
  expect(b.core.callsOf('target/pull').at(-1)).toMatchObject({ from: CLAUDE, theirs: ['SKILL.md'] });
  expect(review.copy).toBeNull();
  expect(onlyCopy().status).toBe('unchanged');
});

it('discards edits and removes copies on request', async () => {
  await edited();
  await copies.deploy(onlyCopy(), true);
  expect(onlyCopy().status).toBe('unchanged');
  await copies.remove(onlyCopy());
  expect(allCopies()).toEqual([]);
});

it('deploys links, or copies that follow their skill', async () => {
  await deployment.start([skill()]);
  await deployment.change({ watch: true });
  expect(b.core.callsOf('target/deploy').at(-1)).toMatchObject({ link: false, watch: true, dry_run: true });
  await deployment.deploy();
  await copies.load();
  expect(onlyCopy().watch).toBe(true);
  await copies.watch(onlyCopy(), false);
  expect(onlyCopy().watch).toBe(false);
  await deployment.start([skill()]);
  expect(deployment.options.watch).toBe(false);
  await deployment.change({ link: true, watch: true });
  expect(b.core.callsOf('target/deploy').at(-1)).toMatchObject({ link: true, watch: null });
});

it('adds skills to a kit, finds them again, and restores a deleted kit', async () => {
  const { id, slug, name, scope } = skill();
  await kits.ask({ id, slug, name });
  expect(await kits.add('Desk')).toBeNull();
  expect([kits.adding, kits.list]).toEqual([null, [{ name: 'Desk', skills: [slug] }]]);
  const [kit] = kits.list ?? [];
  if (!kit) throw new Error('no kit');
  expect(kits.skillsOf({ ...kit, skills: [slug, 'elsewhere'] }, [{ id, slug, scope }]).map((one) => one.id)).toEqual([id]);
  await kits.remove(kit);
  expect(kits.list).toEqual([]);
});
