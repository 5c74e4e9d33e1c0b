import { beforeEach, expect, test, vi } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { fail, WORKSPACE } from '../../../../tests/fake/core';
import { LINKS, TIMELINE } from '../../../../tests/fake/seed';
import { References } from './references.svelte';

beforeEach(fakeTimers);

interface Step {
  label: string;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
}

interface Desk extends Bench {
  references: References;
  /** What can be undone, newest last. */
  steps: Step[];
  errors: string[];
}

async function desk(workspace: string | null = WORKSPACE): Promise<Desk> {
  const parts = await bench([LINKS, TIMELINE]);
  parts.client.workspace = workspace;
  parts.core.pages.put('people/mara', 'Mara Venn', 'A poet.');
  parts.core.references.files.set('data/costs.csv', 'a,b\n').set('logo.png', null);
  const [steps, errors]: [Step[], string[]] = [[], []];
  const references = new References(parts.client, parts.feed, {
    push: (_, step) => steps.push(step),
    report: (what) => errors.push(what),
  });
  return { ...parts, references, steps, errors };
}

/** One of several; the test ends where there is none. */
function nth<T>(all: readonly T[] | null, index: number): T {
  const found = all?.[index];
  if (found === undefined) throw new Error(`there is no number ${index}`);
  return found;
}

const targets = ({ list }: References): string[] | undefined => list?.map((one) => one.target_ref);

async function attach({ references }: Desk, ...wanted: string[]): Promise<void> {
  for (const target of wanted) {
    references.search.open();
    references.search.type(target);
    await vi.advanceTimersByTimeAsync(100);
    await flushPromises();
    const offer = references.search.offers.find((one) => one.target_ref === target);
    if (!offer) throw new Error(`${target} isn’t offered`);
    await references.attach(offer);
    await flushPromises();
  }
}

test('pages, files and addresses are found and attached, and attached ones aren’t offered again', async () => {
  const here = await desk();
  const { references, core } = here;
  references.show(core.find('timeline-builder').summary);
  await flushPromises();
  expect(targets(references)).toEqual([]);
  references.search.open();
  await flushPromises();
  expect(references.search.offers.map(({ form, title }) => [form, title])).toEqual([['page', 'Mara Venn'], ['file', 'costs.csv'], ['file', 'logo.png']]);
  await references.attach(nth(references.search.offers, 0));
  await flushPromises();
  expect([references.search.isOpen, targets(references)]).toEqual([false, ['people/mara']]);
  references.search.open();
  await flushPromises();
  expect(references.search.offers.map(({ title }) => title)).toEqual(['costs.csv', 'logo.png']);
  await attach(here, 'https://example.org/style');
  expect(references.list?.at(-1)).toMatchObject({ form: 'address', title: 'example.org', problem: null });
});

test('attaching and removing can be undone and redone, and a removed reference returns to its position', async () => {
  const here = await desk();
  const { references, core, steps } = here;
  references.show(core.find('timeline-builder').summary);
  await attach(here, 'data/costs.csv', 'logo.png', 'https://example.org/style');
  const all = ['data/costs.csv', 'logo.png', 'https://example.org/style'];
  expect(targets(references)).toEqual(all);
  // It is gone from the folder, and so is missing when it is back.
  core.references.files.delete('logo.png');
  await references.remove(nth(references.list, 1));
  await flushPromises();
  expect([steps.at(-1)?.label, targets(references)]).toEqual(['remove reference logo.png', [all[0], all[2]]]);
  const live = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(250);
    await flushPromises();
  };
  const removal = nth(steps, 3);
  await removal.undo();
  await live();
  expect(targets(references)).toEqual(all);
  expect(references.list?.[1]?.problem).toMatch(/isn’t in this workspace/);
  await removal.redo();
  await live();
  expect(targets(references)).toEqual([all[0], all[2]]);
  await removal.undo();
  await nth(steps, 2).undo();
  await live();
  expect(targets(references)).toEqual(['data/costs.csv', 'logo.png']);
  await nth(steps, 2).redo();
  await live();
  expect(targets(references)).toEqual(all);
});

test('a file is shown as text, or the reason why it can’t be read', async () => {
  const here = await desk();
  const { references, core } = here;
  references.show(core.find('timeline-builder').summary);
  await attach(here, 'data/costs.csv');
  const costs = nth(references.list, 0);
  await references.showFile(costs);
  expect(references.open?.file?.text).toBe('a,b\n');
  core.references.files.delete('data/costs.csv');
  await references.showFile(costs);
  expect(references.open).toMatchObject({ file: null, failure: { code: 'notFound' } });
});

test('failures are shown, and replies about another skill are dropped', async () => {
  const here = await desk();
  const { references, core, errors } = here;
  const [timeline, links] = [core.find('timeline-builder').summary, core.find('link-auditor').summary];
  references.show(timeline);
  await attach(here, 'data/costs.csv');
  core.hold('reference/list');
  references.show(links);
  core.release('reference/list');
  await flushPromises();
  expect(targets(references)).toEqual([]);
  core.failing.set('reference/list', fail('io', 'the disk is gone'));
  core.failing.set('reference/attach', fail('readOnly', 'agents.db can’t be written'));
  references.show(timeline);
  await flushPromises();
  expect([references.list, references.failure?.message]).toEqual([null, 'the disk is gone']);
  await references.attach({ target_kind: 'document', target_ref: 'logo.png', form: 'file', title: 'logo.png' });
  expect(errors).toEqual(['Couldn’t attach logo.png']);
  core.failing.clear();
  references.refresh();
  await flushPromises();
  expect([targets(references), references.failure]).toEqual([['data/costs.csv'], null]);
});

test('without a workspace nothing is requested', async () => {
  const { references, core } = await desk(null);
  references.show(core.find('timeline-builder').summary);
  await flushPromises();
  expect([references.list, core.callsOf('reference/list').length]).toEqual([null, 0]);
});

test('changes by another program are shown, even if the events were lost', async () => {
  const { references, core, feed } = await desk();
  const timeline = core.find('timeline-builder');
  references.show(timeline.summary);
  await flushPromises();
  feed.stop();
  core.references.attach(timeline, { skill: timeline.summary.id, target_kind: 'document', target_ref: 'logo.png' });
  await flushPromises();
  await feed.start(core, () => core.workspace);
  core.emit('skill', []);
  await vi.advanceTimersByTimeAsync(250);
  await flushPromises();
  expect(targets(references)).toEqual(['logo.png']);
});
