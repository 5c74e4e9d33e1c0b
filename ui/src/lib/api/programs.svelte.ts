import type { Failure, ProgramManifest, ProgramStatus } from '$lib/api/generated';
import type { Client } from './client';
import { asFailure } from './failure';
import type { ChangeFeed } from './changeFeed';
import { Deadline, Latest } from './timing';

/** How often the process is looked at while something goes on, and while nothing does. */
const BUSY_MS = 1_000;
const QUIET_MS = 10_000;
const SOON_MS = 250;

/** The process that runs DSPy programs: how it is, and what it can do. */
export class Programs {
  status = $state.raw<ProgramStatus | null>(null);
  /** Templates and optimizers, once the process said so. */
  manifest = $state.raw<ProgramManifest | null>(null);
  manifestFailure = $state.raw<Failure | null>(null);
  readonly warming = $derived(this.status?.state === 'starting');
  readonly #client: Client;
  readonly #latest: Latest;
  readonly #soon = new Deadline(SOON_MS, () => this.#latest.ask());
  #timer: ReturnType<typeof setTimeout> | null = null;
  #watched = false;
  #wasTold = false;
  #asking: Promise<ProgramManifest | null> | null = null;

  readonly #versioned: (dspy: string) => void;

  /** `versioned` is told once, when the version of DSPy is known: mostly before the process runs. */
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
      this.#take(await this.#client.call('program/status', {}));
    } catch {
      // What was known stays until the next look.
    }
    if (!this.#watched) return;
    const busy = this.status?.state === 'starting' || this.status?.state === 'waiting' || (this.status?.jobs ?? 0) > 0;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#latest.ask(), busy ? BUSY_MS : QUIET_MS);
  }

  /** What the process can do; starts it if need be. Null when it can't be had; `manifestFailure` says why. */
  async load(): Promise<ProgramManifest | null> {
    if (this.manifest) return this.manifest;
    this.#asking ??= this.#load().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Forgets earlier failures of the process, and starts it. */
  async retry(): Promise<Failure | null> {
    try {
      const asked = this.#client.call('program/retry', {});
      this.#soon.touch();
      this.#take(await asked);
    } catch (cause) {
      return asFailure(cause);
    }
    if (this.status?.state === 'ready') await this.load();
    return null;
  }

  #take(status: ProgramStatus): void {
    this.status = status;
    if (status.dspy === null || this.#wasTold) return;
    this.#wasTold = true;
    this.#versioned(status.dspy);
  }

  async #load(): Promise<ProgramManifest | null> {
    const asked = this.#client.call('program/manifest', {});
    this.#soon.touch();
    try {
      this.manifest = await asked;
      this.manifestFailure = null;
    } catch (cause) {
      this.manifestFailure = asFailure(cause);
    }
    this.#soon.touch();
    return this.manifest;
  }
}
