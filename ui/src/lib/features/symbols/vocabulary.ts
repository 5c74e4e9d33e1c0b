import type { Client, SkillKey } from '$lib/api';
import type { Named, Names, UnsavedText, Words } from '$lib/api/generated';

/** A skill's texts as they are now. */
export interface TextsNow {
  key: SkillKey;
  revision: number;
  /** What is typed and not saved, and a word that changes whenever one of these texts does. */
  edits: () => UnsavedText[];
  stamp: string;
}

interface Kept {
  revision: number;
  stamp: string;
  names: Promise<Names>;
  /** A newer list is on its way. */
  pending: boolean;
}

const MOST = 20;

/** What texts may say, and what they name: asked of the core, kept until the texts change. */
export class Vocabulary {
  readonly #client: Client;
  readonly #kept = new Map<string, Kept>();
  #words: Promise<Words> | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  words(): Promise<Words> {
    this.#words ??= this.#client.call('symbol/words', {}).catch((cause: unknown) => {
      this.#words = null;
      throw cause;
    });
    return this.#words;
  }

  /** Names of a skill. While someone types, the list of a moment ago is given at once and the newer one follows. */
  names(texts: TextsNow): Promise<Names> {
    const id = `${texts.key.scope}:${texts.key.id}`;
    const kept = this.#kept.get(id);
    if (kept?.revision !== texts.revision) return this.#read(id, texts);
    if (kept.stamp !== texts.stamp && !kept.pending) {
      kept.pending = true;
      this.#read(id, texts, kept).catch(() => (kept.pending = false));
    }
    return kept.names;
  }

  async at({ key, edits }: TextsNow, path: string, { line, column }: { line: number; column: number }): Promise<Named | null> {
    const { named } = await this.#client.call('symbol/at', { skill: key.id, scope: key.scope, path, line, column, edits: edits() });
    return named;
  }

  /** Another folder is open. */
  reset(): void {
    this.#kept.clear();
  }

  #read(id: string, { key, revision, stamp, edits }: TextsNow, before: Kept | null = null): Promise<Names> {
    const names = this.#client.call('symbol/names', { skill: key.id, scope: key.scope, edits: edits() });
    const put = (): void => {
      this.#kept.delete(id);
      this.#kept.set(id, { revision, stamp, names, pending: false });
      const oldest = this.#kept.keys().next().value;
      if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest);
    };
    if (before) void names.then(put, () => undefined);
    else {
      put();
      names.catch(() => this.#kept.delete(id));
    }
    return names;
  }
}
