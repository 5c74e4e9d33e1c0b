import { asFailure, type Client } from '$lib/api';
import { asJson, formatMs, formatTokens, formatUsd, isExecuted, STATUS_LABELS } from '$lib/domain';
import type { Failure, Run, Trace } from '$lib/api/generated';

export interface NumberRow {
  label: string;
  left: string;
  right: string;
  differs: boolean;
}

export class Compare {
  runs = $state.raw<[Run.RunDetail, Run.RunDetail] | null>(null);
  failure = $state.raw<Failure | null>(null);
  part = $state<'output' | 'input'>('output');
  #left = $state.raw<string | null>(null);
  #right = $state.raw<string | null>(null);
  readonly left = $derived(this.runs ? chosen(this.runs[0], this.#left) : null);
  readonly right = $derived(this.runs ? chosen(this.runs[1], this.#right ?? this.#counterpart()) : null);
  readonly rows = $derived(this.left && this.right ? numbersOf(this.left, this.right) : []);
  #request: [string, string] | null = null;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Compares two runs, the older one on the left. */
  async show(one: string, other: string): Promise<void> {
    this.#request = [one, other];
    const request = this.#request;
    this.runs = null;
    this.failure = null;
    this.#left = null;
    this.#right = null;
    try {
      const [a, b] = await Promise.all([this.#client.call('run/get', { run: one }), this.#client.call('run/get', { run: other })]);
      if (this.#request === request) this.runs = a.started_at <= b.started_at ? [a, b] : [b, a];
    } catch (cause) {
      if (this.#request === request) this.failure = asFailure(cause);
    }
  }

  retry(): void {
    if (this.#request) void this.show(...this.#request);
  }

  choose(side: 'left' | 'right', trace: string): void {
    if (side === 'left') this.#left = trace;
    else this.#right = trace;
  }

  textOf(trace: Trace): string {
    const text = (this.part === 'output' ? (trace.raw_output ?? trace.error) : trace.rendered_input) ?? '';
    // JSON is compared in one format, whatever format it was written in.
    const value = asJson(text);
    return value === undefined ? text : JSON.stringify(value, null, 2);
  }

  /** The right run's step of the same artifact. */
  #counterpart(): string | null {
    const left = this.left;
    const counterpart = this.runs?.[1].executions.findLast((one) => isExecuted(one) && one.artifact_path === left?.artifact_path);
    return counterpart?.id ?? null;
  }
}

function chosen(run: Run.RunDetail, id: string | null): Trace | null {
  return run.executions.find((one) => one.id === id) ?? run.executions.findLast((one) => isExecuted(one)) ?? run.executions.at(-1) ?? null;
}

export function numbersOf(left: Trace, right: Trace): NumberRow[] {
  const row = (label: string, of: (trace: Trace) => string): NumberRow => {
    const [one, other] = [of(left), of(right)];
    return { label, left: one, right: other, differs: one !== other };
  };
  return [
    row('Status', (trace) => STATUS_LABELS[trace.status]),
    row('Model', (trace) => trace.model_id ?? 'none'),
    row('Revision', (trace) => String(trace.skill_revision)),
    row('Duration', (trace) => formatMs(trace.duration_ms) || 'none'),
    row('Tokens in', (trace) => formatTokens(trace.input_tokens)),
    row('Tokens out', (trace) => formatTokens(trace.output_tokens)),
    row('Estimated cost', (trace) => (trace.estimated_cost === null ? 'unknown' : formatUsd(trace.estimated_cost))),
    row('Assertions', (trace) => (trace.assertions_run === 0 ? 'none' : `${trace.assertions_passed} of ${trace.assertions_run} passed`)),
  ];
}
