import { type Client, LongCall } from '$lib/api';
import type { EvalParams, EvalReport } from './types';

interface JobInfo {
  /** Id of the run. */
  run: string;
  /** Title of the skill. */
  skill: string;
}

interface Ports {
  began: (run: string) => void;
  ended: (report: EvalReport) => void;
}

type Request = { skill: string } & ({ start: EvalParams } | { resume: string });

/** The eval run in progress, at most one in a window. */
export class EvalJob {
  /** The run in progress, or the last one. */
  info = $state.raw<JobInfo | null>(null);
  readonly call: LongCall<'running'>;
  /** "3 of 16 results"; empty before the first one. */
  readonly progress = $derived.by(() => {
    const { done, total } = this.call.progress ?? { done: 0, total: null };
    return total === null ? '' : `${done} of ${total} results`;
  });
  #request: Request | null = null;
  readonly #ports: Ports;

  constructor(client: Client, ports: Ports) {
    this.call = new LongCall(client);
    this.#ports = ports;
  }

  /** `skill` is its title. Resolves when the run has ended. */
  async start(skill: string, params: EvalParams): Promise<void> {
    await this.#execute({ skill, start: params });
  }

  /** Continues a run that didn’t complete. */
  async resume(skill: string, run: string): Promise<void> {
    await this.#execute({ skill, resume: run });
  }

  /** Makes the request that failed again. */
  async retry(): Promise<void> {
    if (this.#request) await this.#execute(this.#request);
  }

  dismiss(): void {
    if (!this.call.busy) this.call.failure = null;
  }

  async #execute(request: Request): Promise<void> {
    if (this.call.busy) return;
    this.#request = request;
    // A run that failed keeps its id.
    const run = 'start' in request ? crypto.randomUUID() : request.resume;
    this.info = { run, skill: request.skill };
    this.#ports.began(run);
    const report = 'start' in request ? await this.call.run('running', 'eval/start', { ...request.start, run }) : await this.call.run('running', 'eval/resume', { run });
    if (report) this.#ports.ended(report);
  }
}
