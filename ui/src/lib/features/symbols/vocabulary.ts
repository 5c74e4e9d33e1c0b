import type { Client, SkillKey } from '$lib/api';
import type { Symbols, UnsavedText } from '$lib/api/generated';

/** The texts of a skill, including unsaved changes. */
export interface TextsNow {
  key: SkillKey;
  revision: number;
  /** The unsaved texts, and a value that changes whenever one of them does. */
  edits: () => UnsavedText[];
  stamp: string;
}

interface CacheEntry {
  revision: number;
  stamp: string;
  names: Promise<Symbols.Names>;
  /** Whether a newer list is being loaded. */
  pending: boolean;
}

const MAX = 20;

/** The keywords and symbols of texts, cached until the texts change. */
export class Vocabulary {
  readonly #client: Client;
  readonly #cache = new Map<string, CacheEntry>();
  #language: Promise<Symbols.LanguageData> | null = null;

  constructor(client: Client) {
    this.#client = client;
  }

  language(): Promise<Symbols.LanguageData> {
    this.#language ??= this.#client.call('symbol/language', {}).catch((cause: unknown) => {
      this.#language = null;
      throw cause;
    });
    return this.#language;
  }

  /** The symbols of a skill. While someone types, the previous list is returned at once and updated later. */
  names(texts: TextsNow): Promise<Symbols.Names> {
    const id = `${texts.key.scope}:${texts.key.id}`;
    const cache = this.#cache.get(id);
    if (cache?.revision !== texts.revision) return this.#read(id, texts);
    if (cache.stamp !== texts.stamp && !cache.pending) {
      cache.pending = true;
      this.#read(id, texts, cache).catch(() => (cache.pending = false));
    }
    return cache.names;
  }

  async at({ key, edits }: TextsNow, path: string, { line, column }: { line: number; column: number }): Promise<Symbols.SymbolInformation | null> {
    const { symbol } = await this.#client.call('symbol/at', { skill: key.id, scope: key.scope, path, line, column, edits: edits() });
    return symbol;
  }

  reset(): void {
    this.#cache.clear();
  }

  #read(id: string, { key, revision, stamp, edits }: TextsNow, before: CacheEntry | null = null): Promise<Symbols.Names> {
    const names = this.#client.call('symbol/names', { skill: key.id, scope: key.scope, edits: edits() });
    const put = (): void => {
      this.#cache.delete(id);
      this.#cache.set(id, { revision, stamp, names, pending: false });
      const oldest = this.#cache.keys().next().value;
      if (this.#cache.size > MAX && oldest !== undefined) this.#cache.delete(oldest);
    };
    if (before) void names.then(put, () => undefined);
    else {
      put();
      names.catch(() => this.#cache.delete(id));
    }
    return names;
  }
}
