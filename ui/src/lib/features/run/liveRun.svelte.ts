import { asFailure, type ChangeFeed, type Client, Deadline, LiveCall } from '$lib/api';
import { isExecuted, type LogTail, NO_LOG, withPiece } from '$lib/domain';
import type { ArtifactKind, Failure, ParamsOf, Run, RunEvent, RunOutcome, Trace, TraceStatus } from '$lib/api/generated';

export interface LiveStep {
  trace: string;
  name: string;
  path: string;
  kind: ArtifactKind;
  /** Whether it only accompanies prompts. */
  context: boolean;
  status: TraceStatus;
  fallbackOf: string | null;
  /** The rendered prompt or script; null until rendered. */
  sent: string | null;
  text: string;
  log: LogTail;
  progress: { fraction: number; text: string } | null;
  /** Null until the step ended. */
  stored: Trace | null;
}

/** A script may write thousands of lines a second: the shown log is updated at most this often. */
const LOG_MS = 60;

export class LiveRun extends LiveCall<RunOutcome> {
  steps = $state.raw<LiveStep[]>([]);
  /** Null while it runs. */
  readonly status = $derived<TraceStatus | null>(
    this.running ? null : (this.outcome?.status ?? (this.failure?.code === 'cancelled' ? 'cancelled' : 'error')),
  );
  /** Whether it failed before anything was executed. */
  readonly refused = $derived(!this.running && this.outcome === null);
  /** The step whose output is shown: the last one that isn't context. */
  readonly outputStep = $derived(this.steps.findLast((step) => !step.context) ?? null);
  readonly text = $derived(this.outcome?.text ?? this.outputStep?.stored?.raw_output ?? this.outputStep?.text ?? '');
  /** The step whose log is shown: the last one that wrote a log. */
  readonly logStep = $derived(this.steps.findLast((step) => step.log.text !== '') ?? null);
  /** The script that failed, with the position of the error. */
  readonly failed = $derived(this.steps.findLast((step) => step.stored?.detail != null)?.stored ?? null);
  /** Steps that couldn't run, with the steps that ran instead. */
  readonly fallbacks = $derived(
    this.steps.flatMap((step) => {
      const fallback = step.status === 'fallback' ? this.steps.find((one) => one.fallbackOf === step.trace) : undefined;
      return fallback ? [{ step, fallback }] : [];
    }),
  );
  /** Milliseconds; measured here until the stored value is known. */
  readonly duration = $derived.by(() => {
    const traces = this.outcome?.traces ?? [];
    const total = traces.reduce((sum, trace) => sum + (trace.duration_ms ?? NaN), 0);
    return traces.length > 0 && Number.isFinite(total) ? total : this.elapsed(0);
  });
  readonly sent = $derived(this.steps.findLast((step) => step.sent !== null && !step.context)?.sent ?? null);
  readonly verdicts = $derived(this.steps.flatMap((step) => step.stored?.verdicts ?? []));
  readonly #logs = new Map<string, string>();
  readonly #logSoon = new Deadline(LOG_MS, () => this.#takeLogs());

  finish(outcome: RunOutcome): void {
    this.end();
    this.outcome = outcome;
    this.failure = outcome.error && asFailure(outcome.error);
    const known = new Map(this.steps.map((step) => [step.trace, step]));
    this.steps = outcome.traces.map((trace) => fromTrace(trace, known.get(trace.id)));
  }

  protected override end(): void {
    super.end();
    this.#logSoon.flush();
  }

  protected handle(event: RunEvent): void {
    switch (event.kind) {
      case 'began':
        this.steps = [
          ...this.steps.filter((step) => step.trace !== event.trace),
          {
            trace: event.trace, name: event.name, path: event.path, kind: event.artifact_kind, context: event.context, status: 'running',
            fallbackOf: event.fallback_of, sent: null, text: '', log: NO_LOG, progress: null, stored: null,
          },
        ];
        break;
      case 'rendered':
        this.#change(event.trace, () => ({ sent: event.text }));
        break;
      case 'text':
        this.#change(event.trace, (step) => ({ text: step.text + event.text }));
        break;
      case 'log':
        this.#logs.set(event.trace, (this.#logs.get(event.trace) ?? '') + event.text);
        this.#logSoon.touch();
        break;
      case 'progress':
        this.#change(event.trace, () => ({ progress: { fraction: event.fraction, text: event.text } }));
        break;
      case 'trial':
        // Of optimizations only.
        break;
      case 'ended':
        this.#logSoon.flush();
        if (this.steps.some((step) => step.trace === event.trace.id)) this.#change(event.trace.id, (step) => fromTrace(event.trace, step));
        else this.steps = [...this.steps, fromTrace(event.trace, undefined)];
        break;
      case 'finished':
        // The reply of the call follows, which has more.
        break;
    }
  }

  #takeLogs(): void {
    for (const [trace, piece] of this.#logs) this.#change(trace, (step) => ({ log: withPiece(step.log, piece) }));
    this.#logs.clear();
  }

  #change(trace: string, change: (step: LiveStep) => Partial<LiveStep>): void {
    this.steps = this.steps.map((step) => (step.trace === trace ? { ...step, ...change(step) } : step));
  }
}

/** The outcome of a run that ended earlier. */
export const outcomeOf = ({ run_id: run, session_id: session, status, executions: traces, gates, ...rest }: Run.RunDetail): RunOutcome => ({
  run, session, status, text: null, value: null, error: null, traces, gates,
  input_tokens: rest.input_tokens, output_tokens: rest.output_tokens, estimated_cost: rest.estimated_cost,
});

function fromTrace(trace: Trace, known: LiveStep | undefined): LiveStep {
  return {
    trace: trace.id,
    name: trace.artifact_name,
    path: trace.artifact_path,
    kind: trace.artifact_kind,
    context: known?.context ?? !isExecuted(trace),
    status: trace.status,
    fallbackOf: trace.fallback_of,
    sent: trace.rendered_input ?? known?.sent ?? null,
    text: trace.raw_output ?? known?.text ?? '',
    // The reply may arrive before the last log events. The trace has all of the log, unless it was truncated.
    log: known && known.log.text !== '' && (trace.truncated || trace.log === null) ? known.log : withPiece(NO_LOG, trace.log ?? ''),
    progress: null,
    stored: trace,
  };
}

/** Executes a run and follows its events. Returns why nothing was executed, or why it failed. */
export async function execute(client: Client, feed: ChangeFeed, live: LiveRun, params: ParamsOf<'run/start'>): Promise<Failure | null> {
  const unsubscribe = feed.onRun(live.id, (event) => live.apply(event));
  try {
    live.finish(await client.call('run/start', { ...params, run: live.id }));
  } catch (cause) {
    live.refuse(asFailure(cause));
  } finally {
    unsubscribe();
  }
  return live.failure;
}

export async function cancel(client: Client, live: LiveRun): Promise<void> {
  if (live.state !== 'running') return;
  live.markCanceling();
  try {
    await client.call('run/cancel', { run: live.id });
  } catch (cause) {
    // It ended in the meantime; its reply follows.
    if (asFailure(cause).code !== 'notFound') live.resume();
  }
}
