import { asFailure, type Client, Debounce, type SkillKey } from '$lib/api';
import type { Failure, FilePlaces, Named, Renamed, Renaming as Plan } from '$lib/api/generated';

/** Where the box stands: below the line with the cursor, or above it where there is no room. */
export interface Anchor {
  left: number;
  top: number;
  bottom: number;
}

export interface RenamingPorts {
  /** Saves what is typed in the skill; false when some of it can't be. */
  save: (key: SkillKey) => Promise<boolean>;
  /** It was done; `back` renames to the old name again. */
  renamed: (done: Renamed, from: string, to: string, back: () => Promise<void>) => void;
  failed: (what: string, failure: Failure) => void;
  /** Shows a place where only a person can tell. */
  show: (file: FilePlaces) => void;
}

/** Giving a variable or an artifact another name, with what that changes in sight before it is done. */
export class Renaming {
  /** What is renamed; null while the box is closed. */
  target = $state.raw<{ key: SkillKey; named: Named; anchor: Anchor } | null>(null);
  name = $state('');
  plan = $state.raw<Plan | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  readonly places = $derived((this.plan?.uses ?? []).reduce((sum, { places }) => sum + places.length, 0));
  readonly #client: Client;
  readonly #ports: RenamingPorts;
  readonly #typed = new Debounce(120, () => void this.#look());
  #asked = 0;

  constructor(client: Client, ports: RenamingPorts) {
    this.#client = client;
    this.#ports = ports;
  }

  start(key: SkillKey, named: Named, anchor: Anchor): void {
    [this.target, this.name, this.plan, this.failure] = [{ key, named, anchor }, named.title, null, null];
  }

  close(): void {
    this.#typed.cancel();
    this.#asked += 1;
    [this.target, this.plan, this.failure, this.busy] = [null, null, null, false];
  }

  type(name: string): void {
    this.name = name;
    this.failure = null;
    this.#typed.touch();
  }

  /** Whether Enter would do something. */
  get changed(): boolean {
    return this.target !== null && this.name.trim() !== '' && this.name.trim() !== this.target.named.title;
  }

  async apply(): Promise<void> {
    const { target } = this;
    if (!target || this.busy) return;
    if (!this.changed) {
      this.close();
      return;
    }
    this.#typed.cancel();
    this.busy = true;
    const [from, to] = [target.named.title, this.name.trim()];
    try {
      if (!(await this.#ports.save(target.key))) {
        this.close();
        return;
      }
      const done = await this.#rename(target.key, target.named.symbol, to);
      this.close();
      const symbol = { ...target.named.symbol, name: to } as Named['symbol'];
      this.#ports.renamed(done, from, to, async () => {
        try {
          if (await this.#ports.save(target.key)) await this.#rename(target.key, symbol, from);
        } catch (cause) {
          this.#ports.failed(`Couldn’t rename ${to} back to ${from}`, asFailure(cause));
        }
      });
    } catch (cause) {
      this.failure = asFailure(cause);
      this.busy = false;
    }
  }

  show(file: FilePlaces): void {
    this.close();
    this.#ports.show(file);
  }

  #rename(key: SkillKey, symbol: Named['symbol'], to: string): Promise<Renamed> {
    return this.#client.call('symbol/rename', { skill: key.id, scope: key.scope, symbol, to });
  }

  async #look(): Promise<void> {
    const { target } = this;
    if (!target || !this.changed) {
      [this.plan, this.failure] = [null, null];
      return;
    }
    const asked = ++this.#asked;
    try {
      const plan = await this.#client.call('symbol/renaming', { skill: target.key.id, scope: target.key.scope, symbol: target.named.symbol, to: this.name.trim() });
      if (asked === this.#asked) [this.plan, this.failure] = [plan, null];
    } catch (cause) {
      if (asked === this.#asked) [this.plan, this.failure] = [null, asFailure(cause)];
    }
  }
}
