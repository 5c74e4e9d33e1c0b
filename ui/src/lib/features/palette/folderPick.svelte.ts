import { asFailure, type Client, Latest } from '$lib/api';
import type { Failure, FolderEntry, RecentWorkspace } from '$lib/wire';

export type FolderChoice =
  | { kind: 'this'; path: string }
  | { kind: 'folder'; path: string; name: string; skills: boolean }
  | { kind: 'recent'; path: string; name: string; exists: boolean };

/** A folder chosen by typing its path, with completion. */
export class FolderPick {
  typed = $state('');
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  #entries = $state.raw<FolderEntry[]>([]);
  #isFolder = $state(false);
  #answered = $state('');
  #recent = $state.raw<RecentWorkspace[]>([]);
  readonly choices = $derived.by<FolderChoice[]>(() => {
    const path = this.typed.trim();
    if (path === '') return this.#recent.map((one) => ({ kind: 'recent', ...one }));
    const list: FolderChoice[] = this.#entries.map((entry) => ({ kind: 'folder', ...entry }));
    if (this.#isFolder && this.#answered === path) list.unshift({ kind: 'this', path });
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

  async start(from: string): Promise<void> {
    this.failure = null;
    this.#entries = [];
    this.#isFolder = false;
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
      this.#isFolder = false;
      this.failure = null;
      return;
    }
    this.busy = true;
    this.failure = null;
    this.#latest.ask();
  }

  /** Tab: goes on into the folder. */
  descend(choice: FolderChoice): void {
    if (choice.kind !== 'this') this.type(choice.path.endsWith('/') ? choice.path : `${choice.path}/`);
  }

  /** Whether Enter takes this choice; into any other it goes, where it or a folder in it can be taken. */
  takes(choice: FolderChoice, direct: boolean): boolean {
    return choice.kind === 'this' || (choice.kind === 'recent' && direct);
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
      const { entries, directory } = await this.#client.call('path/complete', { prefix });
      if (this.typed.trim() !== prefix) return;
      this.#entries = entries;
      this.#isFolder = directory;
      this.#answered = prefix;
    } catch (cause) {
      this.#entries = [];
      this.#isFolder = false;
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }
}
