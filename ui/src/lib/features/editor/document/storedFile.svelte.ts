import { asFailure, type Client, type SkillKey } from '$lib/api';
import type { EditResult, FileEntry, Files, Scope } from '$lib/api/generated';

export interface DocumentKey {
  scope: Scope;
  skillId: string;
  path: string;
}

export const sameFile = (a: DocumentKey, b: DocumentKey): boolean => a.scope === b.scope && a.skillId === b.skillId && a.path === b.path;

/** The new path of a file that was renamed; null if it wasn’t, or if that is unknown. */
export async function newPathOf(client: Client, key: DocumentKey): Promise<string | null> {
  try {
    const { renamedTo } = await import('./renamed');
    return await renamedTo(client, key);
  } catch {
    return null;
  }
}

/** What is stored in a file at a revision of its skill. */
export interface FileState {
  revision: number;
  entry: FileEntry | null;
  /** Null: not a text file. */
  text: string | null;
}

/** A file of a skill, in the state on which the edited text is based. */
export class StoredFile {
  readonly skill: SkillKey;
  path = $state('');
  /** Null until the file is loaded. */
  entry = $state.raw<FileEntry | null>(null);
  revision = $state(0);
  /** Null: not a text file. */
  text = $state.raw<string | null>(null);
  readonly #client: Client;

  constructor(client: Client, { scope, skillId, path }: DocumentKey) {
    this.#client = client;
    this.skill = { scope, id: skillId };
    this.path = path;
  }

  get key(): DocumentKey {
    return { scope: this.skill.scope, skillId: this.skill.id, path: this.path };
  }

  snapshot(): FileState {
    return { revision: this.revision, entry: this.entry, text: this.text };
  }

  rebase({ revision, entry, text }: FileState): void {
    [this.revision, this.entry, this.text] = [revision, entry, text];
  }

  /** With `followRename`, a renamed file is found by its new path. */
  async read(followRename = false): Promise<Files.FileContent> {
    try {
      return await this.#client.call('file/read', this.#target());
    } catch (cause) {
      const path = followRename && asFailure(cause).code === 'notFound' ? await newPathOf(this.#client, this.key) : null;
      if (path === null) throw cause;
      this.path = path;
      return this.#client.call('file/read', this.#target());
    }
  }

  async readRevision(number: number): Promise<string | null> {
    return (await this.#client.call('skill/revision', { ...this.#target(), number })).text;
  }

  /** The stored bytes, at most `limit`. */
  bytes(limit?: number): Promise<Files.FileBytes> {
    return this.#client.call('file/bytes', { ...this.#target(), ...(limit === undefined ? {} : { limit }) });
  }

  /** Fails with a conflict if the file was changed after `revision`. */
  write(text: string, why?: string): Promise<EditResult> {
    return this.#client.call('skill/edit', {
      skill: this.skill.id,
      scope: this.skill.scope,
      expected: this.revision,
      changes: [{ op: 'write', path: this.path, text }],
      ...(why ? { why } : {}),
    });
  }

  #target(): { skill: string; scope: Scope; path: string } {
    return { skill: this.skill.id, scope: this.skill.scope, path: this.path };
  }
}
