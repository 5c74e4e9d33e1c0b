import { type Client, Debounce } from '$lib/api';
import type { CheckedFile, Scope } from '$lib/api/generated';

export interface CheckSource {
  skillId: string;
  scope: Scope;
  path(): string;
  edition(): number;
  text(): string;
}

const QUIET_MS = 150;

/** Diagnostics of a text while it is being typed. A reply about an older text is dropped. */
export class Checker {
  readonly #client: Client;
  readonly #source: CheckSource;
  readonly #found: (checked: CheckedFile) => void;
  readonly #timer = new Debounce(QUIET_MS, () => void this.now());
  #asked = 0;

  constructor(client: Client, source: CheckSource, found: (checked: CheckedFile) => void) {
    this.#client = client;
    this.#source = source;
    this.#found = found;
  }

  touch(): void {
    this.#timer.touch();
  }

  stop(): void {
    this.#timer.cancel();
    this.#asked += 1;
  }

  async now(): Promise<void> {
    const { skillId, scope } = this.#source;
    const edition = this.#source.edition();
    const asked = ++this.#asked;
    try {
      const checked = await this.#client.call('check/file', {
        skill: skillId,
        scope,
        path: this.#source.path(),
        text: this.#source.text(),
      });
      if (asked === this.#asked && edition === this.#source.edition()) this.#found(checked);
    } catch {
      // The marks that are there stay until the next check.
    }
  }
}
