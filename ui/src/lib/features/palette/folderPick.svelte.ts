import { asFailure, type Client, Latest } from '$lib/api';
import type { Failure, FolderEntry, RecentWorkspace } from '$lib/api/generated';

export type FolderChoice =
  | { kind: 'this'; path: string }
  | { kind: 'folder'; path: string; name: string; skills: boolean }
  | { kind: 'file'; path: string; name: string }
  | { kind: 'recent'; path: string; name: string; exists: boolean };

/** A folder, or a file of skills, chosen by typing its path, with completion. */
export class FolderPick {
  typed = $state('');
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  #entries = $state.raw<FolderEntry[]>([]);
  /** The whole path of what is typed, where that can be taken. */
  #whole = $state<string | null>(null);
  #answered = $state('');
  #packages = false;
  #recent = $state.raw<RecentWorkspace[]>([]);
  readonly choices = $derived.by<FolderChoice[]>(() => {
    const path = this.typed.trim();
    if (path === '') return this.#recent.map((one) => ({ kind: 'recent', ...one }));
    const list = this.#entries.map(({ file, path, name, skills }): FolderChoice => (file ? { kind: 'file', path, name } : { kind: 'folder', path, name, skills }));
    if (this.#whole !== null && this.#answered === path && !list.some((one) => one.kind === 'file' && one.path === this.#whole)) list.unshift({ kind: 'this', path: this.#whole });
    return list;
  });
  /** The choices belong to what is typed now. */
  readonly settled = $derived(this.typed.trim() === '' || this.#answered === this.typed.trim());
  readonly #client: Client;
  readonly #latest: Latest;

  constructor(client: Client) {
    this.#client = client;
    this.#latest = new Latest(() => this.#complete());
  }

  /** `packages`: files that skills could be imported from can be chosen, too. */
  async start(from: string, packages = false): Promise<void> {
    this.#packages = packages;
    this.failure = null;
    this.#entries = [];
    this.#whole = null;
    this.type(from);
    try {
      this.#recent = (await this.#client.call('workspace/recent', {})).workspaces;
    } catch {
      this.#recent = [];
    }
  }

  type(path: string): void {
    this.typed = path;
    if (path.trim() === '') {
      this.#entries = [];
      this.#whole = null;
      this.failure = null;
      return;
    }
    this.busy = true;
    this.failure = null;
    this.#latest.ask();
  }

  /** The whole path of what was typed, `~` being the home folder; as it is where nobody knows. */
  async resolve(typed: string): Promise<string> {
    if (typed.startsWith('/')) return typed;
    return this.#client.call('path/complete', { prefix: typed }).then(({ path }) => path, () => typed);
  }

  /** Tab: goes on into the folder. */
  descend(choice: FolderChoice): void {
    if (choice.kind === 'file') this.type(choice.path);
    else if (choice.kind !== 'this') this.type(choice.path.endsWith('/') ? choice.path : `${choice.path}/`);
  }

  /** Whether Enter takes this choice; into any other it goes, where it or a folder in it can be taken. */
  takes(choice: FolderChoice, direct: boolean): boolean {
    return choice.kind === 'this' || choice.kind === 'file' || (choice.kind === 'recent' && direct);
  }

  /** Enter: the path that is taken; null when it went into the folder. */
  enter(choice: FolderChoice, direct: boolean): string | null {
    if (this.takes(choice, direct)) return choice.path;
    this.descend(choice);
    return null;
  }

  async #complete(): Promise<void> {
    const prefix = this.typed.trim();
    try {
      const { entries, path, complete } = await this.#client.call('path/complete', { prefix, ...(this.#packages ? { packages: true } : {}) });
      if (this.typed.trim() !== prefix) return;
      this.#entries = entries;
      this.#whole = complete ? path : null;
      this.#answered = prefix;
    } catch (cause) {
      this.#entries = [];
      this.#whole = null;
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }
}
