import type { Failure, Program } from '$lib/api/generated';
import type { Client } from './client';
import { asFailure } from './failure';
import type { ChangeFeed } from './changeFeed';
import { Deadline, Latest } from './timing';

/** Polling intervals while the process is busy, and while it is idle. */
const BUSY_MS = 1_000;
const QUIET_MS = 10_000;
const SOON_MS = 250;

/** The status of the DSPy process, and its module types and optimizers. */
export class Programs {
  status = $state.raw<Program.ProgramStatus | null>(null);
  /** Module types and optimizers; null until the process reported them. */
  manifest = $state.raw<Program.ProgramManifest | null>(null);
  manifestFailure = $state.raw<Failure | null>(null);
  readonly warming = $derived(this.status?.state === 'starting');
  readonly #client: Client;
  readonly #latest: Latest;
  readonly #soon = new Deadline(SOON_MS, () => this.#latest.ask());
  #timer: ReturnType<typeof setTimeout> | null = null;
  #watched = false;
  #versionReported = false;
  #loading: Promise<Program.ProgramManifest | null> | null = null;

  readonly #versioned: (dspy: string) => void;

  /** `versioned` is called once, when the DSPy version is known, usually before the process runs. */
  constructor(client: Client, feed: ChangeFeed, versioned: (dspy: string) => void = () => undefined) {
    this.#client = client;
    this.#versioned = versioned;
    this.#latest = new Latest(() => this.refresh());
    feed.on('run', () => {
      if (this.#watched) this.#soon.touch();
    });
  }

  /** Keeps the status current until the returned function is called. */
  watch(): () => void {
    this.#watched = true;
    this.#latest.ask();
    return () => {
      this.#watched = false;
      this.#soon.cancel();
      if (this.#timer !== null) clearTimeout(this.#timer);
    };
  }

  async refresh(): Promise<void> {
    try {
      this.#update(await this.#client.call('program/status', {}));
    } catch {
      // The last known status remains until it can be read again.
    }
    if (!this.#watched) return;
    const busy = this.status?.state === 'starting' || this.status?.state === 'waiting' || (this.status?.jobs ?? 0) > 0;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#latest.ask(), busy ? BUSY_MS : QUIET_MS);
  }

  /** Starts the process if necessary. Null on failure, which `manifestFailure` has. */
  async load(): Promise<Program.ProgramManifest | null> {
    if (this.manifest) return this.manifest;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** Forgets earlier failures of the process, and starts it. */
  async retry(): Promise<Failure | null> {
    try {
      const reply = this.#client.call('program/retry', {});
      this.#soon.touch();
      this.#update(await reply);
    } catch (cause) {
      return asFailure(cause);
    }
    if (this.status?.state === 'ready') await this.load();
    return null;
  }

  #update(status: Program.ProgramStatus): void {
    this.status = status;
    if (status.dspy === null || this.#versionReported) return;
    this.#versionReported = true;
    this.#versioned(status.dspy);
  }

  async #load(): Promise<Program.ProgramManifest | null> {
    const reply = this.#client.call('program/manifest', {});
    this.#soon.touch();
    try {
      this.manifest = await reply;
      this.manifestFailure = null;
    } catch (cause) {
      this.manifestFailure = asFailure(cause);
    }
    this.#soon.touch();
    return this.manifest;
  }
}
