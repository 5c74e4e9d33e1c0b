import type { Settings } from '$lib/api';
import { isRecord } from '$lib/domain';

const KEY = 'ui.published_registries';
const MAX_REGISTRIES = 5;

export interface RecentRegistry {
  folder: string;
  title: string;
  /** Folder of its keys; empty for the account’s. */
  keys: string;
}

/** The registries that were published to last. */
export class RecentRegistries {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Newest first. */
  get list(): readonly RecentRegistry[] {
    const stored = this.#settings.get(KEY);
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((one: unknown) => {
      if (!isRecord(one) || typeof one['folder'] !== 'string' || typeof one['title'] !== 'string') return [];
      return [{ folder: one['folder'], title: one['title'], keys: typeof one['keys'] === 'string' ? one['keys'] : '' }];
    });
  }

  add(registry: RecentRegistry): void {
    this.#store([registry, ...this.#without(registry.folder)].slice(0, MAX_REGISTRIES));
  }

  remove(folder: string): void {
    this.#store(this.#without(folder));
  }

  #without(folder: string): RecentRegistry[] {
    return this.list.filter((one) => one.folder !== folder);
  }

  #store(all: readonly RecentRegistry[]): void {
    if (JSON.stringify(all) !== JSON.stringify(this.list)) this.#settings.set(KEY, all.length === 0 ? null : all);
  }
}
