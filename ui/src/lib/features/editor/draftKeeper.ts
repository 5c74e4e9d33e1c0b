import { afterFrame, type Client, Deadline } from '$lib/api';
import type { Scope } from '$lib/api/generated';

export interface DraftSource {
  skillId: string;
  scope: Scope;
  path(): string;
  revision(): number;
  /** Null when the text is the saved one: then there is no draft to keep. */
  unsaved(): string | null;
}

/** Whether the core has everything that was typed. */
export type DraftOutcome = 'kept' | 'behind' | 'failed';

/** How long typing may stay unsent. Twice this is still below the second that a crash may cost. */
const WITHIN_MS = 350;
const RETRY_MS = 2_000;

/** Sends unsaved text to the core while it is being typed, one request at a time. */
export class DraftKeeper {
  readonly #client: Client;
  readonly #source: DraftSource;
  readonly #settled: (outcome: DraftOutcome) => void;
  readonly #gone: () => void;
  readonly #timer = new Deadline(WITHIN_MS, () => afterFrame(() => void this.#enqueue()));
  #queue: Promise<void> = Promise.resolve();
  #stored = false;
  #last: string | null = null;

  /** `gone` is told when the core has a draft no more. */
  constructor(client: Client, source: DraftSource, settled: (outcome: DraftOutcome) => void, gone: () => void) {
    this.#client = client;
    this.#source = source;
    this.#settled = settled;
    this.#gone = gone;
  }

  /** The core has a draft of this file already. */
  adopt(text: string): void {
    this.#stored = true;
    this.#last = text;
  }

  touch(): void {
    this.#timer.touch();
  }

  /** Brings the core's draft up to date now. */
  async flush(): Promise<void> {
    this.#timer.cancel();
    await this.#enqueue();
  }

  stop(): void {
    this.#timer.cancel();
  }

  /** The draft of a path that the file no longer has. */
  async moved(from: string): Promise<void> {
    const { skillId, scope } = this.#source;
    if (this.#stored) await this.#client.call('draft/discard', { skill: skillId, scope, path: from }).catch(() => undefined);
    this.#stored = false;
    this.#last = null;
    await this.#enqueue();
  }

  #enqueue(): Promise<void> {
    this.#queue = this.#queue.then(() => this.#send());
    return this.#queue;
  }

  async #send(): Promise<void> {
    const { skillId, scope } = this.#source;
    const text = this.#source.unsaved();
    const target = { skill: skillId, scope, path: this.#source.path() };
    try {
      if (text === null) {
        if (this.#stored) {
          await this.#client.call('draft/discard', target);
          this.#gone();
        }
        this.#stored = false;
        this.#last = null;
      } else if (text !== this.#last) {
        await this.#client.call('draft/save', { ...target, base_revision: this.#source.revision(), text });
        this.#stored = true;
        this.#last = text;
      }
      // What was typed meanwhile is on its way with the next one.
      this.#settled(this.#source.unsaved() === text ? 'kept' : 'behind');
    } catch {
      this.#settled('failed');
      setTimeout(() => this.#timer.touch(), RETRY_MS);
    }
  }
}
