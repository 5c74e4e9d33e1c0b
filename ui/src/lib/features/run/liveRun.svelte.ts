import { Deadline, LiveCall } from '$lib/api';
import { type LogTail, NO_LOG, withPiece } from '$lib/domain';
import type { Kind, RunEvent, RunOutcome, Trace, TraceStatus } from '$lib/api/generated';

/** An execution as far as it is known. */
export interface LiveStep {
  trace: string;
  name: string;
  path: string;
  kind: Kind;
  status: TraceStatus;
  fallbackOf: string | null;
  /** What is sent or executed; null until it was rendered. */
  sent: string | null;
  text: string;
  /** What a script writes meanwhile. */
  log: LogTail;
  /** How far a script says it is; null while it says nothing. */
  progress: { fraction: number; text: string } | null;
  /** Everything that is kept of it, once it ended. */
  whole: Trace | null;
}

/** A script may write thousands of lines a second: the log on the screen grows at most this often. */
const LOG_MS = 60;

/**
 * One run while it goes on. Events are taken in their order however they arrive; the answer of the call that started the run
 * is the truth, and whatever comes after it is late.
 */
export class LiveRun extends LiveCall<RunOutcome> {
  steps = $state.raw<LiveStep[]>([]);
  /** How it ended, or null while it goes on. */
  readonly status = $derived<TraceStatus | null>(
    this.going ? null : (this.outcome?.status ?? (this.failure?.code === 'cancelled' ? 'cancelled' : 'error')),
  );
  /** Refused before anything was executed. */
  readonly refused = $derived(!this.going && this.outcome === null);
  /** The execution whose output is shown: the last that isn't only read along. */
  readonly front = $derived(this.steps.findLast((step) => !isContext(step.kind)) ?? null);
  readonly text = $derived(this.outcome?.text ?? this.front?.whole?.raw_output ?? this.front?.text ?? '');
  /** The execution whose log is shown: the last that wrote one. */
  readonly logged = $derived(this.steps.findLast((step) => step.log.text !== '') ?? null);
  /** The script that failed, with where it did. */
  readonly failed = $derived(this.steps.findLast((step) => step.whole?.detail != null)?.whole ?? null);
  /** What couldn't run, each with what ran in its place. */
  readonly standIns = $derived(
    this.steps.flatMap((step) => {
      const by = step.status === 'fallback' ? this.steps.find((one) => one.fallbackOf === step.trace) : undefined;
      return by ? [{ step, by }] : [];
    }),
  );
  /** How long it took in all, as it is kept; by this window's clock until that is known. */
  readonly took = $derived.by(() => {
    const traces = this.outcome?.traces ?? [];
    const took = traces.reduce((sum, trace) => sum + (trace.duration_ms ?? NaN), 0);
    return traces.length > 0 && Number.isFinite(took) ? took : this.elapsed(0);
  });
  readonly sent = $derived(this.steps.findLast((step) => step.sent !== null && !isContext(step.kind))?.sent ?? null);
  readonly verdicts = $derived(this.steps.flatMap((step) => step.whole?.verdicts ?? []));
  readonly #logs = new Map<string, string>();
  readonly #logSoon = new Deadline(LOG_MS, () => this.#takeLogs());

  finish(outcome: RunOutcome): void {
    this.end();
    this.outcome = outcome;
    this.failure = outcome.error;
    const known = new Map(this.steps.map((step) => [step.trace, step]));
    this.steps = outcome.traces.map((trace) => settled(trace, known.get(trace.id)));
  }

  protected override end(): void {
    super.end();
    this.#logSoon.flush();
  }

  protected take(event: RunEvent): void {
    switch (event.kind) {
      case 'began':
        this.steps = [
          ...this.steps.filter((step) => step.trace !== event.trace),
          {
            trace: event.trace, name: event.name, path: event.path, kind: event.artifact_kind, status: 'running',
            fallbackOf: event.fallback_of, sent: null, text: '', log: NO_LOG, progress: null, whole: null,
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
        // Of an optimization, which isn’t started from here.
        break;
      case 'ended':
        this.#logSoon.flush();
        if (this.steps.some((step) => step.trace === event.trace.id)) this.#change(event.trace.id, (step) => settled(event.trace, step));
        else this.steps = [...this.steps, settled(event.trace, undefined)];
        break;
      case 'finished':
        // The answer of the call follows, and says more.
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

export const isContext = (kind: Kind): boolean => kind === 'description' || kind === 'approach' || kind === 'example';

function settled(trace: Trace, known: LiveStep | undefined): LiveStep {
  return {
    trace: trace.id,
    name: trace.artifact_name,
    path: trace.artifact_path,
    kind: trace.artifact_kind,
    status: trace.status,
    fallbackOf: trace.fallback_of,
    sent: trace.rendered_input ?? known?.sent ?? null,
    text: trace.raw_output ?? known?.text ?? '',
    // The answer may overtake the last pieces; the trace has all of them, unless it was cut.
    log: known && known.log.text !== '' && (trace.truncated || trace.log === null) ? known.log : withPiece(NO_LOG, trace.log ?? ''),
    progress: null,
    whole: trace,
  };
}
