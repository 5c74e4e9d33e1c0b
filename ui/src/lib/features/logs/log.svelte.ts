import { asFailure, type Client } from '$lib/api';
import type { Failure, Log } from '$lib/api/generated';

export type Shown = 'all' | 'warn' | 'error';

/** How often new lines are asked for while someone looks. */
const EVERY_MS = 1_000;
/** The core keeps as many. */
const MAX = 5_000;
const LEVELS: Record<Shown, readonly Log.LogLevel[]> = { all: ['error', 'warn', 'info'], warn: ['error', 'warn'], error: ['error'] };

/** The lines of the app log, read as they are written. */
class LogSource {
  lines = $state.raw<readonly Log.LogLine[]>([]);
  failure = $state.raw<Failure | null>(null);
  loaded = $state(false);
  /** Path of the log file. */
  file = $state<string | null>(null);
  /** Lines that were dropped between two reads. */
  missed = $state(0);
  #newest = 0;
  #reading = false;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Reads new lines until the returned function is called. */
  watch(): () => void {
    void this.read();
    const timer = setInterval(() => void this.read(), EVERY_MS);
    return () => clearInterval(timer);
  }

  async read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      const page = await this.#client.call('log/read', { after: this.#newest });
      if (page.lines.length > 0) this.lines = [...this.lines, ...page.lines].slice(-MAX);
      this.missed += page.missed;
      this.#newest = page.newest;
      this.file = page.file;
      this.failure = null;
      this.loaded = true;
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.#reading = false;
    }
  }
}

/** The app log with its filter and selection. */
export class LogState {
  level = $state<Shown>('all');
  query = $state('');
  /** New lines are brought into sight. */
  following = $state(true);
  chosen = $state<number | null>(null);
  readonly lines = $derived.by(() => {
    const levels = LEVELS[this.level];
    const wanted = this.query.trim().toLowerCase();
    return this.source.lines.filter((line) => levels.includes(line.level) && (wanted === '' || `${line.target} ${line.message}`.toLowerCase().includes(wanted)));
  });
  readonly line = $derived(this.lines.find((line) => line.seq === this.chosen) ?? null);
  /** The row to keep in sight. */
  readonly active = $derived(this.following ? this.lines.length - 1 : this.lines.findIndex((line) => line.seq === this.chosen));
  readonly source: LogSource;

  constructor(client: Client) {
    this.source = new LogSource(client);
  }

  /** Selecting a line stops auto-scroll, selecting the last one starts it. */
  choose(index: number): void {
    const line = this.lines[index];
    if (!line) return;
    this.chosen = line.seq;
    this.following = index === this.lines.length - 1;
  }

  follow(on: boolean): void {
    this.following = on;
    if (on) this.chosen = this.lines.at(-1)?.seq ?? null;
  }

  clearFilter(): void {
    [this.level, this.query] = ['all', ''];
  }

  /** What is shown, as text. */
  get text(): string {
    return this.lines.map((line) => `${line.time} ${line.level.toUpperCase()} ${line.target}: ${line.message}\n`).join('');
  }
}
