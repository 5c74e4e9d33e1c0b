import { describe, expect, it } from 'vitest';
import { MANIFEST } from '../../../../tests/fake/programs';
import { Setup, splitOf, startProblem } from './setup.svelte';

const optimizer = (id: string): NonNullable<Parameters<typeof startProblem>[0]['optimizer']> => {
  const found = MANIFEST.optimizers.find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found;
};

describe('a set-up', () => {
  it('is sent as it is filled in', () => {
    const setup = new Setup();
    expect(setup.wire()).toEqual({ optimizer: 'bootstrap_few_shot', options: {}, metric: null, valset_fraction: 0.3, calls: null, limits: {} });
    Object.assign(setup.limits.texts, { valset: '20 %', cost: '$0.50', calls: '100', minutes: '45' });
    setup.setOption('k', 3);
    setup.metric = { type: 'exact', field: 'answer' };
    expect(setup.wire()).toMatchObject({ options: { k: 3 }, metric: { field: 'answer' }, valset_fraction: 0.2, calls: 100, limits: { cost: 0.5, seconds: 2_700 } });
    setup.setOption('k', undefined);
    expect(setup.options).toEqual({});
    setup.setOption('k', 4);
    setup.chooseOptimizer('gepa');
    expect(setup.options).toEqual({});
  });

  it.each([['valset', '95'], ['valset', '2.5'], ['cost', '0'], ['cost', 'much'], ['calls', '1.5'], ['calls', '-1'], ['minutes', '0'], ['minutes', '1.5'], ['minutes', '10001'], ['minutes', 'long']] as const)('refuses %s %s', (name, text) => {
    const setup = new Setup();
    setup.limits.texts[name] = text;
    expect(setup.limits.problem(name)).not.toBe('');
    expect(setup.limits.broken).toBe(true);
  });

  it('has a source once it says which', () => {
    const setup = new Setup();
    expect(setup.examples.source).toEqual({ from: 'traces' });
    setup.examples.from = 'lines';
    expect(setup.examples.source).toBeNull();
    setup.examples.lines = '{}';
    expect(setup.examples.source).toEqual({ from: 'lines', text: '{}' });
    setup.examples.from = 'file';
    setup.examples.path = ' /tmp/a.jsonl ';
    expect(setup.examples.source).toEqual({ from: 'file', path: '/tmp/a.jsonl' });
  });
});

it.each([[0, 0.3, 0, 0], [1, 0.3, 1, 0], [2, 0.3, 1, 1], [10, 0.3, 7, 3], [10, 0, 10, 0], [3, 0.9, 1, 2]])('of %i examples with valset fraction %f, %i are in the trainset and %i in the valset', (count, valsetFraction, trainset, valset) => {
  expect(splitOf(count, valsetFraction)).toEqual({ trainset, valset });
});

describe('what stands in the way', () => {
  const known = { optimizer: optimizer('gepa'), allowed: null, count: 10, withOutputs: 10, valsetFraction: 0.3, compared: false };

  it.each([
    [{}, /^$/],
    [{ optimizer: null }, /Choose an optimizer/],
    [{ allowed: ['labeled_few_shot'] }, /doesn’t support this module type/],
    [{ count: 0, withOutputs: 0 }, /No training examples/],
    [{ withOutputs: 0, compared: true }, /examples with outputs/],
    [{ optimizer: optimizer('labeled_few_shot'), withOutputs: 0 }, /examples with outputs/],
    [{ count: 2, withOutputs: 2 }, /at least 2 training examples. You have 1/],
    [{ withOutputs: 2, compared: true }, /at least 2/],
  ])('%o', (more, problem) => expect(startProblem({ ...known, ...more })).toMatch(problem));
});
