import { asFailure, type Client } from '$lib/api';
import type { Failure, TraceFormat } from '$lib/api/generated';
import type { Runs } from './runs.svelte';

/** Writing runs to a file. */
export class RunExport {
  open = $state(false);
  format = $state<TraceFormat>('jsonl');
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

  choose(format: TraceFormat): void {
    this.format = format;
    this.name = `${format === 'dspy' ? 'examples' : 'runs'}-${new Date().toISOString().slice(0, 10)}.jsonl`;
  }

  /** Writes what the list shows into the folder. */
  async write(folder: string): Promise<{ lines: number; out: string } | Failure> {
    const out = `${folder.replace(/\/$/, '')}/${this.name.trim()}`;
    try {
      const { lines } = await this.#client.call('trace/export', { format: this.format, filter: this.#runs.wire(), account: this.#runs.account, out });
      return { lines, out };
    } catch (cause) {
      return asFailure(cause);
    }
  }
}
