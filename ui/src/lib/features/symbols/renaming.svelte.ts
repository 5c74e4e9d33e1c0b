import { asFailure, type Client, Debounce, type SkillKey } from '$lib/api';
import type { Failure, Symbols } from '$lib/api/generated';
import { plural } from '$lib/domain';

/** The box is below the line of the cursor, or above it if there is no room. */
export interface Anchor {
  left: number;
  top: number;
  bottom: number;
}

export interface RenamingPorts {
  /** Saves the open files of the skill; false if one can’t be saved. */
  save: (key: SkillKey) => Promise<boolean>;
  /** `back` undoes the rename. */
  renamed: (done: Symbols.RenameResult, from: string, to: string, back: () => Promise<void>) => void;
  failed: (what: string, failure: Failure) => void;
  /** Shows text matches that may mean something else. */
  show: (file: Symbols.FileLocations) => void;
}

/** What is renamed beside the skill’s files, for the end of a sentence: ` and 2 saved inputs`. */
export function savedText({ inputs, actions }: Pick<Symbols.RenamePreview, 'inputs' | 'actions'>): string {
  const savedInputs = plural(inputs, 'saved input');
  if (actions === 0) return inputs === 0 ? '' : ` and ${savedInputs}`;
  return `${inputs === 0 ? '' : `, ${savedInputs}`} and ${plural(actions, 'action')}`;
}

/** Renames a variable or artifact, with a preview of the changes. */
export class Renaming {
  /** Null while the box is closed. */
  target = $state.raw<{ key: SkillKey; info: Symbols.SymbolInformation; anchor: Anchor } | null>(null);
  name = $state('');
  plan = $state.raw<Symbols.RenamePreview | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  readonly locations = $derived((this.plan?.uses ?? []).reduce((sum, { locations }) => sum + locations.length, 0));
  readonly #client: Client;
  readonly #ports: RenamingPorts;
  readonly #typed = new Debounce(120, () => void this.#look());
  #asked = 0;

  constructor(client: Client, ports: RenamingPorts) {
    this.#client = client;
    this.#ports = ports;
  }

  start(key: SkillKey, info: Symbols.SymbolInformation, anchor: Anchor): void {
    [this.target, this.name, this.plan, this.failure] = [{ key, info, anchor }, info.title, null, null];
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

  get changed(): boolean {
    return this.target !== null && this.name.trim() !== '' && this.name.trim() !== this.target.info.title;
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
    const [from, to] = [target.info.title, this.name.trim()];
    try {
      if (!(await this.#ports.save(target.key))) {
        this.close();
        return;
      }
      const done = await this.#rename(target.key, target.info.symbol, to);
      this.close();
      const symbol = { ...target.info.symbol, name: to } as Symbols.SymbolInformation['symbol'];
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

  show(file: Symbols.FileLocations): void {
    this.close();
    this.#ports.show(file);
  }

  #rename(key: SkillKey, symbol: Symbols.SymbolInformation['symbol'], to: string): Promise<Symbols.RenameResult> {
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
      const plan = await this.#client.call('symbol/rename_preview', { skill: target.key.id, scope: target.key.scope, symbol: target.info.symbol, to: this.name.trim() });
      if (asked === this.#asked) [this.plan, this.failure] = [plan, null];
    } catch (cause) {
      if (asked === this.#asked) [this.plan, this.failure] = [null, asFailure(cause)];
    }
  }
}
