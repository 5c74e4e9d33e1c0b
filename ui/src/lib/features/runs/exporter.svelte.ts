import { asFailure, type Client } from '$lib/api';
import type { Failure, Trace } from '$lib/api/generated';
import type { Runs } from './runs.svelte';

/** Exports the listed runs. */
export class RunExport {
  open = $state(false);
  format = $state<Trace.TraceFormat>('jsonl');
  name = $state('');
  readonly #client: Client;
  readonly #runs: Runs;
  readonly problem = $derived(
    this.name.trim() === '' ? 'Enter a file name.' : /[/\\]/.test(this.name) ? 'Enter a name without a folder.' : '',
  );

  constructor(client: Client, runs: Runs) {
    this.#client = client;
    this.#runs = runs;
  }

  start(): void {
    this.choose('jsonl');
    this.open = true;
  }

  choose(format: Trace.TraceFormat): void {
    this.format = format;
    this.name = `${format === 'dspy' ? 'examples' : 'runs'}-${new Date().toISOString().slice(0, 10)}.jsonl`;
  }

  async write(folder: string): Promise<{ lines: number; out: string } | Failure> {
    const out = `${folder.replace(/\/$/, '')}/${this.name.trim()}`;
    try {
      const { lines } = await this.#client.call('trace/export', { format: this.format, filter: this.#runs.query.wire(), account: this.#runs.query.account, out });
      return { lines, out };
    } catch (cause) {
      return asFailure(cause);
    }
  }
}
