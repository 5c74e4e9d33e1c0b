import { formatNumber } from '$lib/domain';
import type { ExampleSource, Limits, Metric, OptimizeParams, ProgramOptimizer } from '$lib/api/generated';

export type SourceKind = ExampleSource['from'];
export type NumberField = 'heldOut' | 'cost' | 'calls' | 'minutes';

/** The most that is held out, in percent. */
const MOST_HELD_OUT = 90;
const MOST_MINUTES = 10_000;

/** How a program is to be optimized, as it is filled in. */
export class Setup {
  from = $state<SourceKind>('traces');
  path = $state('');
  lines = $state('');
  optimizer = $state('bootstrap_few_shot');
  options = $state.raw<Record<string, unknown>>({});
  /** Null: as the core chooses, by assertions or the first output. */
  metric = $state.raw<Metric | null>(null);
  readonly texts = $state<Record<NumberField, string>>({ heldOut: '', cost: '', calls: '', minutes: '' });

  get source(): ExampleSource | null {
    if (this.from === 'traces') return { from: 'traces' };
    if (this.from === 'file') return this.path.trim() === '' ? null : { from: 'file', path: this.path.trim() };
    return this.lines.trim() === '' ? null : { from: 'lines', text: this.lines };
  }

  /** Why what is typed is no number of its kind; empty when it is one, or nothing. */
  problem(name: NumberField): string {
    if (this.#number(name) !== null) return '';
    switch (name) {
      case 'heldOut':
        return `Enter a whole number from 0 to ${MOST_HELD_OUT}.`;
      case 'cost':
        return 'Enter an amount above 0, such as 0.50.';
      case 'calls':
        return 'Enter a whole number above 0.';
      case 'minutes':
        return `Enter a whole number from 1 to ${formatNumber(MOST_MINUTES)}.`;
    }
  }

  /** The share that is only judged by. */
  get share(): number {
    return (this.#number('heldOut') ?? 30) / 100;
  }

  get broken(): boolean {
    return (['heldOut', 'cost', 'calls', 'minutes'] as const).some((name) => this.problem(name) !== '');
  }

  chooseOptimizer(id: string): void {
    this.optimizer = id;
    this.options = {};
  }

  setOption(key: string, value: unknown): void {
    const rest = Object.entries(this.options).filter(([other]) => other !== key);
    this.options = Object.fromEntries(value === undefined ? rest : [...rest, [key, value]]);
  }

  wire(): Omit<OptimizeParams, 'skill' | 'artifact' | 'source'> {
    const [cost, calls, minutes] = [this.#number('cost'), this.#number('calls'), this.#number('minutes')];
    const limits: Limits = { ...(cost == null ? {} : { cost }), ...(minutes == null ? {} : { seconds: minutes * 60 }) };
    return { optimizer: this.optimizer, options: this.options, metric: this.metric, held_out: this.share, calls: calls ?? null, limits };
  }

  /** Undefined when nothing is typed, null when it is no number of its kind. */
  #number(name: NumberField): number | null | undefined {
    const text = this.texts[name].trim().replace(/^\$\s*|\s*%$/g, '');
    if (text === '') return undefined;
    const value = Number(text);
    if (!Number.isFinite(value)) return null;
    if (name === 'heldOut') return Number.isInteger(value) && value >= 0 && value <= MOST_HELD_OUT ? value : null;
    if (value <= 0 || (name === 'minutes' && value > MOST_MINUTES)) return null;
    return name === 'cost' || Number.isInteger(value) ? value : null;
  }
}

/** How many examples are learned from and how many only judged by, as the core splits them. */
export function splitOf(count: number, share: number): { training: number; heldOut: number } {
  const heldOut = share <= 0 || count < 2 ? 0 : Math.min(count - 1, Math.max(1, Math.round(count * share)));
  return { training: count - heldOut, heldOut };
}

interface Known {
  optimizer: ProgramOptimizer | null;
  /** Ids of those that can improve the template; null when that isn't known. */
  allowed: readonly string[] | null;
  count: number;
  withOutputs: number;
  share: number;
  /** Predictions are compared with known outputs. */
  compared: boolean;
}

/** Why it can't be started as it is filled in; empty when it can. */
export function startProblem({ optimizer, allowed, count, withOutputs, share, compared }: Known): string {
  if (!optimizer) return 'Choose an optimizer.';
  if (allowed && !allowed.includes(optimizer.id)) return `${optimizer.title} doesn’t support this module type.`;
  if (count === 0) return 'No training examples.';
  if ((compared || optimizer.needs_outputs) && withOutputs === 0) return 'This needs examples with outputs.';
  const { training } = splitOf(compared ? withOutputs : count, share);
  return training < optimizer.least_examples ? `${optimizer.title} needs at least ${optimizer.least_examples} training examples. You have ${training}.` : '';
}
