import { formatNumber } from '$lib/domain';
import type { Limits, Optimize, Program } from '$lib/api/generated';

export type SourceKind = Optimize.ExampleSource['from'];
export type NumberField = 'valset' | 'cost' | 'calls' | 'minutes';

/** Percent of the examples. */
const MAX_VALSET_PERCENT = 90;
const MAX_MINUTES = 10_000;

class ExampleSettings {
  from = $state<SourceKind>('traces');
  path = $state('');
  lines = $state('');

  get source(): Optimize.ExampleSource | null {
    if (this.from === 'traces') return { from: 'traces' };
    if (this.from === 'file') return this.path.trim() === '' ? null : { from: 'file', path: this.path.trim() };
    return this.lines.trim() === '' ? null : { from: 'lines', text: this.lines };
  }
}

/** The limits and the validation split, as texts that are typed. */
class LimitSettings {
  readonly texts = $state<Record<NumberField, string>>({ valset: '', cost: '', calls: '', minutes: '' });

  /** The problem of a typed number; empty if there is none. */
  problem(name: NumberField): string {
    if (this.value(name) !== null) return '';
    switch (name) {
      case 'valset':
        return `Enter a whole number from 0 to ${MAX_VALSET_PERCENT}.`;
      case 'cost':
        return 'Enter an amount above 0, such as 0.50.';
      case 'calls':
        return 'Enter a whole number above 0.';
      case 'minutes':
        return `Enter a whole number from 1 to ${formatNumber(MAX_MINUTES)}.`;
    }
  }

  /** The validation split, as a fraction. */
  get valsetFraction(): number {
    return (this.value('valset') ?? 30) / 100;
  }

  get broken(): boolean {
    return (['valset', 'cost', 'calls', 'minutes'] as const).some((name) => this.problem(name) !== '');
  }

  /** Undefined if nothing is typed, null if it isn't a valid number. */
  value(name: NumberField): number | null | undefined {
    const text = this.texts[name].trim().replace(/^\$\s*|\s*%$/g, '');
    if (text === '') return undefined;
    const value = Number(text);
    if (!Number.isFinite(value)) return null;
    if (name === 'valset') return Number.isInteger(value) && value >= 0 && value <= MAX_VALSET_PERCENT ? value : null;
    if (value <= 0 || (name === 'minutes' && value > MAX_MINUTES)) return null;
    return name === 'cost' || Number.isInteger(value) ? value : null;
  }
}

/** The form of an optimization. */
export class Setup {
  readonly examples = new ExampleSettings();
  optimizer = $state('bootstrap_few_shot');
  options = $state.raw<Record<string, unknown>>({});
  /** Null: as the core chooses, by assertions or the first output. */
  metric = $state.raw<Optimize.Metric | null>(null);
  readonly limits = new LimitSettings();

  chooseOptimizer(id: string): void {
    this.optimizer = id;
    this.options = {};
  }

  setOption(key: string, value: unknown): void {
    const rest = Object.entries(this.options).filter(([other]) => other !== key);
    this.options = Object.fromEntries(value === undefined ? rest : [...rest, [key, value]]);
  }

  wire(): Omit<Optimize.OptimizeParams, 'skill' | 'artifact' | 'source'> {
    const [cost, calls, minutes] = [this.limits.value('cost'), this.limits.value('calls'), this.limits.value('minutes')];
    const limits: Limits = { ...(cost == null ? {} : { cost }), ...(minutes == null ? {} : { seconds: minutes * 60 }) };
    return { optimizer: this.optimizer, options: this.options, metric: this.metric, valset_fraction: this.limits.valsetFraction, calls: calls ?? null, limits };
  }
}

/** The sizes of training and validation set, split as in the core. */
export function splitOf(count: number, valsetFraction: number): { trainset: number; valset: number } {
  const valset = valsetFraction <= 0 || count < 2 ? 0 : Math.min(count - 1, Math.max(1, Math.round(count * valsetFraction)));
  return { trainset: count - valset, valset };
}

interface Known {
  optimizer: Program.ProgramOptimizer | null;
  /** Ids of those that can improve the template; null when that isn't known. */
  allowed: readonly string[] | null;
  count: number;
  withOutputs: number;
  valsetFraction: number;
  /** Whether predictions are compared with known outputs. */
  compared: boolean;
}

/** Why the optimization can't start; empty if it can. */
export function startProblem({ optimizer, allowed, count, withOutputs, valsetFraction, compared }: Known): string {
  if (!optimizer) return 'Choose an optimizer.';
  if (allowed && !allowed.includes(optimizer.id)) return `${optimizer.title} doesn’t support this module type.`;
  if (count === 0) return 'No training examples.';
  if ((compared || optimizer.needs_outputs) && withOutputs === 0) return 'This needs examples with outputs.';
  const { trainset } = splitOf(compared ? withOutputs : count, valsetFraction);
  return trainset < optimizer.least_examples ? `${optimizer.title} needs at least ${optimizer.least_examples} training examples. You have ${trainset}.` : '';
}
