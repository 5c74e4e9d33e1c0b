import { asFailure, type Client } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import type { EvalRun, ReportFormat } from './types';

const EXTENSIONS: Record<ReportFormat, string> = { html: 'html', json: 'json', csv: 'csv', junit: 'xml' };

/** Exports the report of a run. */
export class ReportExport {
  /** Null while nothing is exported. */
  run = $state.raw<EvalRun | null>(null);
  format = $state<ReportFormat>('html');
  name = $state('');
  failure = $state.raw<Failure | null>(null);
  readonly problem = $derived(this.name.trim() === '' ? 'Enter a file name.' : /[/\\]/.test(this.name) ? 'Enter a name without a folder.' : '');
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  start(run: EvalRun): void {
    this.run = run;
    this.failure = null;
    this.choose(this.format);
  }

  choose(format: ReportFormat): void {
    this.format = format;
    this.name = `evals-${this.run?.skill_slug ?? ''}-${this.run?.created_at.slice(0, 10) ?? ''}.${EXTENSIONS[format]}`;
  }

  close(): void {
    this.run = null;
  }

  /** The report as text. Null on failure. */
  async text(): Promise<string | null> {
    const { run, format } = this;
    if (run === null) return null;
    try {
      const { text } = await this.#client.call('eval/export', { run: run.id, format });
      this.failure = null;
      return text;
    } catch (cause) {
      this.failure = asFailure(cause);
      return null;
    }
  }

  /** Returns the path of the file. */
  async write(folder: string): Promise<string | Failure> {
    const { run, format } = this;
    const out = `${folder.replace(/\/$/, '')}/${this.name.trim()}`;
    try {
      await this.#client.call('eval/export', { run: run?.id ?? '', format, out, replace: true });
      return out;
    } catch (cause) {
      return asFailure(cause);
    }
  }
}
