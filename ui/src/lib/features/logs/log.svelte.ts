import { asFailure, type Client } from '$lib/api';
import type { Failure, LogLevel, LogLine } from '$lib/api/generated';

export type Shown = 'all' | 'warn' | 'error';

/** How often new lines are asked for while someone looks. */
const EVERY_MS = 1_000;
/** As many as the core keeps. */
const MOST = 5_000;
const LEVELS: Record<Shown, readonly LogLevel[]> = { all: ['error', 'warn', 'info'], warn: ['error', 'warn'], error: ['error'] };

/** The app's own log, as far as someone wants to see it. */
export class Log {
  level = $state<Shown>('all');
  query = $state('');
  /** New lines are brought into sight. */
  following = $state(true);
  chosen = $state<number | null>(null);
  failure = $state.raw<Failure | null>(null);
  known = $state(false);
  /** The file that has the lines too. */
  file = $state<string | null>(null);
  /** Lines that came and went between two readings; each reading tells of its own. */
  missed = $state(0);
  #lines = $state.raw<readonly LogLine[]>([]);
  #newest = 0;
  #reading = false;
  readonly lines = $derived.by(() => {
    const levels = LEVELS[this.level];
    const wanted = this.query.trim().toLowerCase();
    return this.#lines.filter((line) => levels.includes(line.level) && (wanted === '' || `${line.target} ${line.message}`.toLowerCase().includes(wanted)));
  });
  readonly line = $derived(this.lines.find((line) => line.seq === this.chosen) ?? null);
  /** The row to keep in sight. */
  readonly active = $derived(this.following ? this.lines.length - 1 : this.lines.findIndex((line) => line.seq === this.chosen));
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Reads on until the returned function is called. */
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
      if (page.lines.length > 0) this.#lines = [...this.#lines, ...page.lines].slice(-MOST);
      this.missed += page.missed;
      this.#newest = page.newest;
      this.file = page.file;
      this.failure = null;
      this.known = true;
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.#reading = false;
    }
  }

  /** Looking at one line stops the others from moving it away; the last one goes on. */
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
