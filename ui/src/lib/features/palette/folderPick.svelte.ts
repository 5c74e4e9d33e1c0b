import { asFailure, type Client, Latest } from '$lib/api';
import type { Failure, Path, Workspace } from '$lib/api/generated';

export type FolderChoice =
  | { kind: 'this'; path: string }
  | { kind: 'folder'; path: string; name: string; skills: boolean }
  | { kind: 'file'; path: string; name: string }
  | { kind: 'recent'; path: string; name: string; exists: boolean };

/** Selects a folder, or a file of skills, by its typed path, with completion. */
export class FolderPick {
  typed = $state('');
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  #entries = $state.raw<Path.Completion[]>([]);
  /** The absolute path, if it can be selected. */
  #whole = $state<string | null>(null);
  #answered = $state('');
  #packages = false;
  #recent = $state.raw<Workspace.RecentEntry[]>([]);
  readonly choices = $derived.by<FolderChoice[]>(() => {
    const path = this.typed.trim();
    if (path === '') return this.#recent.map((one) => ({ kind: 'recent', ...one }));
    const list = this.#entries.map(({ file, path, name, skills }): FolderChoice => (file ? { kind: 'file', path, name } : { kind: 'folder', path, name, skills }));
    if (this.#whole !== null && this.#answered === path && !list.some((one) => one.kind === 'file' && one.path === this.#whole)) list.unshift({ kind: 'this', path: this.#whole });
    return list;
  });
  /** Whether the choices are those of the current input. */
  readonly settled = $derived(this.typed.trim() === '' || this.#answered === this.typed.trim());
  readonly #client: Client;
  readonly #latest: Latest;

  constructor(client: Client) {
    this.#client = client;
    this.#latest = new Latest(() => this.#complete());
  }

  /** With `packages`, files with skills to import can be selected, too. */
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

  /** The absolute path of the input, with `~` expanded if the home folder is known. */
  async resolve(typed: string): Promise<string> {
    if (typed.startsWith('/')) return typed;
    return this.#client.call('path/complete', { prefix: typed }).then(({ path }) => path, () => typed);
  }

  /** On Tab, lists the content of the folder. */
  descend(choice: FolderChoice): void {
    if (choice.kind === 'file') this.type(choice.path);
    else if (choice.kind !== 'this') this.type(choice.path.endsWith('/') ? choice.path : `${choice.path}/`);
  }

  /** Whether Enter selects this choice instead of listing its content. */
  takes(choice: FolderChoice, direct: boolean): boolean {
    return choice.kind === 'this' || choice.kind === 'file' || (choice.kind === 'recent' && direct);
  }

  /** On Enter, the selected path; null if the content of the folder is listed instead. */
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
