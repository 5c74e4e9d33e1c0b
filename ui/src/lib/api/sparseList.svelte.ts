import { asFailure } from './failure';
import type { Failure } from '$lib/api/generated';

const CHUNK = 200;

export interface Part<T> {
  rows: T[];
  total: number;
}

/** A long list that is read in chunks as they are shown. A row that isn't loaded is `null`. */
export class SparseList<T> {
  total = $state(0);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Incremented when another list is loaded. */
  edition = $state(0);
  #chunks = $state.raw<ReadonlyMap<number, T[]>>(new Map());
  readonly #read: (offset: number, limit: number) => Promise<Part<T>>;
  readonly #stale = new Set<number>();
  readonly #reading = new Map<number, Promise<void>>();
  #shown = { first: 0, last: 0 };
  /** Incremented when another list is asked for: replies for the one before are dropped. */
  #generation = 0;
  /** The next reply begins another list; until then the old one is shown. */
  #replaced = true;

  constructor(read: (offset: number, limit: number) => Promise<Part<T>>) {
    this.#read = read;
  }

  at(index: number): T | null {
    return this.#chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK] ?? null;
  }

  /** The index of a loaded row, or -1. */
  findIndex(is: (row: T) => boolean): number {
    for (const [chunk, rows] of this.#chunks) {
      const index = rows.findIndex(is);
      if (index >= 0) return chunk * CHUNK + index;
    }
    return -1;
  }

  /** Reads another list. */
  restart(): void {
    this.#invalidate();
    void this.#loadChunk(0);
  }

  clear(): void {
    this.#invalidate();
    this.#removeRows();
  }

  /** Reads the shown rows again, and the others when they are shown. */
  refresh(): void {
    for (const chunk of this.#chunks.keys()) this.#stale.add(chunk);
    this.show(this.#shown.first, this.#shown.last);
  }

  /** Reads the rows from `first` up to `last`, excluded, if they aren't loaded. */
  show(first: number, last: number): void {
    this.#shown = { first, last };
    for (let chunk = Math.floor(first / CHUNK); chunk <= Math.floor(Math.max(first, last - 1) / CHUNK); chunk += 1) {
      if (!this.#chunks.has(chunk) || this.#stale.has(chunk)) void this.#loadChunk(chunk);
    }
  }

  async load(index: number): Promise<T | null> {
    const chunk = Math.floor(index / CHUNK);
    if (!this.#chunks.has(chunk)) await this.#loadChunk(chunk);
    return this.at(index);
  }

  #loadChunk(chunk: number): Promise<void> {
    // A chunk that becomes stale while it is read is read once more.
    const reading = this.#reading.get(chunk) ?? this.#fetch(chunk);
    this.#reading.set(chunk, reading);
    return reading;
  }

  async #fetch(chunk: number): Promise<void> {
    const generation = this.#generation;
    this.#stale.delete(chunk);
    try {
      const part = await this.#read(chunk * CHUNK, CHUNK);
      if (generation !== this.#generation) return;
      const chunks = new Map(this.#replaced ? [] : this.#chunks);
      if (this.#replaced) this.edition += 1;
      this.#replaced = false;
      chunks.set(chunk, part.rows);
      // Chunks beyond the end of a shorter list.
      for (const one of chunks.keys()) if (one * CHUNK >= part.total && one > 0) chunks.delete(one);
      this.#chunks = chunks;
      this.total = part.total;
      this.loaded = true;
      this.failure = null;
    } catch (cause) {
      if (generation !== this.#generation) return;
      this.failure = asFailure(cause);
      if (this.#replaced) this.#removeRows();
    } finally {
      if (generation === this.#generation) {
        this.#reading.delete(chunk);
        if (this.#stale.has(chunk)) void this.#loadChunk(chunk);
      }
    }
  }

  #invalidate(): void {
    this.#generation += 1;
    this.#reading.clear();
    this.#stale.clear();
    this.#shown = { first: 0, last: 0 };
    this.#replaced = true;
    this.failure = null;
  }

  #removeRows(): void {
    this.#chunks = new Map();
    this.total = 0;
    this.loaded = false;
  }
}
