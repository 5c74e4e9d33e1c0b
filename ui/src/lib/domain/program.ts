// Reads `dspy_module` artifacts and their compiled states. Both are untrusted files.
import { isRecord } from './record';
import type { Limits, Optimize } from '$lib/api/generated';
import { formatNumber } from './format';
import { readObject } from './jsonParse';
import { formatMs, formatUsd } from './usage';

type Json = Record<string, unknown>;
const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The module types to offer while the process isn't running. */
export const TEMPLATE_IDS = ['predict', 'chain_of_thought', 'react', 'best_of_n', 'refine', 'multi_chain_comparison', 'extract_then_verify', 'map_reduce'] as const;

export const METRIC_LABELS: Record<Optimize.Metric['type'], string> = { assertions: 'Assertions', exact: 'Exact match', contains: 'Contains' };

/** "Exact match of answer" */
export const metricLabel = (metric: Optimize.Metric): string =>
  metric.type === 'assertions' ? 'Assertions' : `${METRIC_LABELS[metric.type]} on ${metric.field}`;

export interface PredictorState {
  name: string;
  instructions: string;
  /** Values by field. */
  demos: Json[];
}

/** From 0 to 1. */
export interface Scores {
  before: number;
  after: number;
}

/** A compiled state. */
export interface ProgramState {
  /** The version of DSPy that compiled it; null if unknown. */
  dspy: string | null;
  template: string | null;
  predictors: PredictorState[];
}

/** Reads a state, in our format or in that of DSPy's own files; null if it is neither. */
export function readState(text: string): ProgramState | null {
  const blob = readObject(text);
  if (!blob) return null;
  const inner = isRecord(blob['state']) ? blob['state'] : blob;
  const versions = isRecord(blob['metadata']) && isRecord(blob['metadata']['dependency_versions']) ? blob['metadata']['dependency_versions'] : {};
  const single = 'demos' in inner || 'signature' in inner;
  const named: [string, unknown][] = single ? [['predict', inner]] : Object.entries(inner).filter(([name]) => name !== 'metadata');
  return {
    dspy: asText(blob['dspy']) ?? asText(versions['dspy']),
    template: asText(blob['template_id']),
    predictors: named.flatMap(([name, value]) => (isRecord(value) ? [predictorOf(name, value)] : [])),
  };
}

function predictorOf(name: string, value: Json): PredictorState {
  const signature = isRecord(value['signature']) ? value['signature'] : {};
  return { name, instructions: asText(signature['instructions']) ?? '', demos: demosOf(value['demos']) };
}

function demosOf(value: unknown): PredictorState['demos'] {
  const demos = Array.isArray(value) ? value.filter(isRecord) : [];
  // DSPy marks demos with `augmented`, which isn't a field.
  return demos.map((demo) => Object.fromEntries(Object.entries(demo).filter(([key]) => key !== 'augmented')));
}

/** The path of an artifact's state according to skill.json; null without one. */
export function statePathOf(skillJson: string, path: string): string | null {
  const artifacts = readObject(skillJson)?.['artifacts'];
  const own = Array.isArray(artifacts) ? artifacts.filter(isRecord).find((one) => one['path'] === path) : undefined;
  return asText(own?.['state']);
}

/** The `body` of an optimization's proposal. */
export interface Optimization {
  run: string;
  artifact: string;
  optimizer: string;
  options: Json;
  metric: Optimize.Metric;
  dspy: string | null;
  model: string | null;
  train: Scores;
  validation: Scores | null;
  /** Why it ended early, at a limit or because the model failed; null if it didn't. */
  stopped: 'budget' | 'model' | null;
  /** The limit of model calls; null without one. */
  calls: number | null;
  limits: Limits;
  before: PredictorState[];
  after: PredictorState[];
  examples: number;
  validated: number;
  input_tokens: number | null;
  output_tokens: number | null;
  estimated_cost: number | null;
}

/** Reads the body of a proposal; null for another kind, such as one of a later version. */
export function readOptimization(body: unknown): Optimization | null {
  if (!isRecord(body)) return null;
  const [train, metric, run] = [scoresOf(body['train']), metricOf(body['metric']), asText(body['run'])];
  const [before, after] = [predictorsOf(body['before']), predictorsOf(body['after'])];
  if (!train || !metric || run === null || !before || !after) return null;
  return {
    run,
    artifact: asText(body['artifact']) ?? '',
    optimizer: asText(body['optimizer']) ?? '',
    options: isRecord(body['options']) ? body['options'] : {},
    metric,
    dspy: asText(body['dspy']),
    model: asText(body['model']),
    train,
    validation: scoresOf(body['validation']),
    stopped: body['stopped'] === 'budget' || body['stopped'] === 'model' ? body['stopped'] : null,
    calls: asNumber(body['calls']),
    limits: limitsOf(body['limits']),
    before,
    after,
    examples: countOf(body['trainset']),
    validated: countOf(body['valset']),
    input_tokens: asNumber(body['input_tokens']),
    output_tokens: asNumber(body['output_tokens']),
    estimated_cost: asNumber(body['estimated_cost']),
  };
}

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

function scoresOf(value: unknown): Scores | null {
  if (!isRecord(value)) return null;
  const [before, after] = [asNumber(value['before']), asNumber(value['after'])];
  return before === null || after === null ? null : { before, after };
}

function limitsOf(value: unknown): Limits {
  const limits = isRecord(value) ? value : {};
  return { tokens: asNumber(limits['tokens']), cost: asNumber(limits['cost']), seconds: asNumber(limits['seconds']) };
}

function metricOf(value: unknown): Optimize.Metric | null {
  if (!isRecord(value)) return null;
  if (value['type'] === 'assertions') return { type: 'assertions' };
  const field = asText(value['field']);
  return field !== null && (value['type'] === 'exact' || value['type'] === 'contains') ? { type: value['type'], field } : null;
}

function predictorsOf(value: unknown): PredictorState[] | null {
  if (!Array.isArray(value) || !value.every(isRecord)) return null;
  return value.map((one) => ({ name: asText(one['name']) ?? '', instructions: asText(one['instructions']) ?? '', demos: demosOf(one['demos']) }));
}

/** The demos of a predictor before and after, matched by their values. */
export interface DemoChange {
  change: 'added' | 'removed' | 'kept';
  demo: Json;
}

/** Added demos first, then kept and removed ones. */
export function demoChanges(before: readonly Json[], after: readonly Json[]): DemoChange[] {
  const key = (demo: Json): string => JSON.stringify(Object.entries(demo).sort(([one], [other]) => (one < other ? -1 : 1)));
  const [known, now] = [new Set(before.map(key)), new Set(after.map(key))];
  return [
    ...after.filter((demo) => !known.has(key(demo))).map((demo): DemoChange => ({ change: 'added', demo })),
    ...after.filter((demo) => known.has(key(demo))).map((demo): DemoChange => ({ change: 'kept', demo })),
    ...before.filter((demo) => !now.has(key(demo))).map((demo): DemoChange => ({ change: 'removed', demo })),
  ];
}

/** "0.50" */
export const formatScore = (score: number): string => score.toFixed(2);

/** "+0.25", "−0.10" or "unchanged". */
export function formatGain({ before, after }: Scores): string {
  const gain = Number((after - before).toFixed(2));
  if (gain === 0) return 'unchanged';
  return gain > 0 ? `+${gain.toFixed(2)}` : `−${(-gain).toFixed(2)}`;
}

/** Empty if it didn't end early. */
export function stopReason({ stopped }: Optimization): string {
  if (stopped === null) return '';
  return stopped === 'model'
    ? 'The model failed before optimization finished. This is the best candidate so far.'
    : 'A limit was reached. This is the best candidate so far.';
}

/** The warning that the score didn't rise; empty if it did. */
export function notBetter({ validation, train }: Optimization): string {
  const scores = validation ?? train;
  if (scores.after > scores.before) return '';
  return validation ? 'No improvement on the validation set' : 'No improvement on the training set';
}

/** "$0.50, 100 model calls, 45 min"; empty without limits. */
export function limitLabel({ calls, limits: { tokens, cost, seconds } }: Optimization): string {
  return [
    cost == null ? '' : formatUsd(cost),
    calls === null ? '' : `${formatNumber(calls)} model calls`,
    tokens == null ? '' : `${formatNumber(tokens)} tokens`,
    seconds == null ? '' : seconds % 60 === 0 ? `${formatNumber(seconds / 60)} min` : formatMs(seconds * 1000),
  ].filter(Boolean).join(', ');
}
