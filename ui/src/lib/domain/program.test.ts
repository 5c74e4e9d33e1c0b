import { describe, expect, it } from 'vitest';
import { demoChanges, formatGain, limitLabel, notBetter, type Optimization, readOptimization, readState, statePathOf, stopReason } from './program';

const PREDICTOR = { traces: [], train: [], demos: [{ question: 'a', answer: 'b', augmented: true }], signature: { instructions: 'Answer.', fields: [] }, lm: null };

describe('a state', () => {
  it('is read in our shape', () => {
    expect(readState(JSON.stringify({ dspy: '3.4.1', template_id: 'predict', state: { predict: PREDICTOR } }))).toEqual({
      dspy: '3.4.1', template: 'predict', predictors: [{ name: 'predict', instructions: 'Answer.', demos: [{ question: 'a', answer: 'b' }] }],
    });
  });

  it('is read as DSPy saves it, of a program or a predictor', () => {
    const program = readState(JSON.stringify({ one: PREDICTOR, two: PREDICTOR, metadata: { dependency_versions: { dspy: '3.1.0' } } }));
    expect(program).toMatchObject({ dspy: '3.1.0', template: null, predictors: [{ name: 'one' }, { name: 'two' }] });
    expect(readState('{"demos": [], "lm": null}')?.predictors).toEqual([{ name: 'predict', instructions: '', demos: [] }]);
  });

  it('may be anything', () => {
    for (const text of ['', '[]', '{"state": 3}', '{"state": {"predict": {"demos": [1, null], "signature": 4}}}']) expect(() => readState(text)).not.toThrow();
    expect(readState('[]')).toBeNull();
  });

  it('belongs to the artifact that skill.json says', () => {
    const json = JSON.stringify({ artifacts: [{ path: 'dspy/a.json', state: 'dspy/a.state.json' }, { path: 'dspy/b.json' }] });
    expect(statePathOf(json, 'dspy/a.json')).toBe('dspy/a.state.json');
    expect(statePathOf(json, 'dspy/b.json')).toBeNull();
    expect(statePathOf('nonsense', 'dspy/b.json')).toBeNull();
  });
});

describe('the body of a proposal', () => {
  const body = {
    run: 'r', artifact: 'Checker', optimizer: 'gepa', options: {}, metric: { type: 'exact', field: 'answer' }, seed: 1, dspy: '3.4.1', model: 'small', train: { before: 0.5, after: 0.75 },
    validation: null, stopped: 'budget', before: [], after: [{ name: 'predict', instructions: 'x', demos: [] }], state_blob: {}, trainset: [{}, {}], valset: [],
    calls: 100, limits: { tokens: null, cost: 0.5, seconds: 2700 }, input_tokens: 3, output_tokens: null, estimated_cost: 0.5,
  };
  const read = (more: Record<string, unknown> = {}): Optimization => {
    const found = readOptimization({ ...body, ...more });
    if (!found) throw new Error('not read');
    return found;
  };

  it('is read', () => {
    expect(readOptimization(body)).toMatchObject({ artifact: 'Checker', train: { before: 0.5, after: 0.75 }, validation: null, stopped: 'budget', calls: 100, limits: { cost: 0.5, seconds: 2700 }, examples: 2, validated: 0, metric: { field: 'answer' } });
  });

  it('says what ended it early', () => {
    expect([read({ stopped: null }), read({ stopped: 'later' })].map(stopReason)).toEqual(['', '']);
    expect(stopReason(read())).toMatch(/^A limit was reached/);
    expect(stopReason(read({ stopped: 'model' }))).toMatch(/^The model failed before/);
  });

  it.each([
    [{ before: 0.5, after: 0.75 }, null, ''],
    [{ before: 0.5, after: 0.5 }, null, 'No improvement on the training set'],
    [{ before: 0.5, after: 0.75 }, { before: 0.5, after: 0.5 }, 'No improvement on the validation set'],
    [{ before: 0.5, after: 0.75 }, { before: 0.5, after: 0.4 }, 'No improvement on the validation set'],
    [{ before: 0.5, after: 0.4 }, { before: 0.5, after: 0.6 }, ''],
  ])('with the scores %o in training and %o in validation says %j', (train, validation, words) => {
    expect(notBetter(read({ train, validation }))).toBe(words);
  });

  it('says what it was limited to', () => {
    expect(limitLabel(read())).toBe('$0.50, 100 model calls, 45 min');
    expect(limitLabel(read({ calls: null, limits: { tokens: 20_000, cost: null, seconds: 90 } }))).toBe('20,000 tokens, 1 min 30 s');
    expect(limitLabel(read({ calls: undefined, limits: undefined }))).toBe('');
  });

  it('is refused when it is another one', () => {
    for (const other of [null, [], {}, { ...body, train: 1 }, { ...body, metric: { type: 'new' } }, { ...body, after: [1] }]) expect(readOptimization(other)).toBeNull();
  });
});

it('demos are compared by their values', () => {
  const changes = demoChanges([{ a: 1, b: 2 }, { a: 3 }], [{ b: 2, a: 1 }, { a: 4 }]);
  expect(changes.map(({ change, demo }) => [change, demo['a']])).toEqual([['added', 4], ['kept', 1], ['removed', 3]]);
});

it('a gain has its sign', () => {
  expect([{ before: 0.5, after: 0.75 }, { before: 0.5, after: 0.25 }, { before: 0.5, after: 0.5 }].map(formatGain)).toEqual(['+0.25', '−0.25', 'unchanged']);
});
