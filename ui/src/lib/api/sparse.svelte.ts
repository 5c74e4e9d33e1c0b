import { asFailure } from './failure';
import type { Failure } from '$lib/api/generated';

const CHUNK = 200;

export interface Part<T> {
  rows: T[];
  total: number;
}

/** A long list of which only the parts that are looked at are read. A row that isn't there yet is `null`. */
export class Sparse<T> {
  total = $state(0);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Goes up when another list is there. */
  edition = $state(0);
  #chunks = $state.raw<ReadonlyMap<number, T[]>>(new Map());
  readonly #read: (offset: number, limit: number) => Promise<Part<T>>;
  readonly #stale = new Set<number>();
  readonly #reading = new Map<number, Promise<void>>();
  #seen = { first: 0, last: 0 };
  /** Goes up when another list is wanted: what was asked before is dropped. */
  #wanted = 0;
  /** The next answer begins another list; until then the old one stays in sight. */
  #replaced = true;

  constructor(read: (offset: number, limit: number) => Promise<Part<T>>) {
    this.#read = read;
  }

  at(index: number): T | null {
    return this.#chunks.get(Math.floor(index / CHUNK))?.[index % CHUNK] ?? null;
  }

  /** The place of a row, among those that were read. */
  find(is: (row: T) => boolean): number {
    for (const [chunk, rows] of this.#chunks) {
      const index = rows.findIndex(is);
      if (index >= 0) return chunk * CHUNK + index;
    }
    return -1;
  }

  /** Reads another list. */
  restart(): void {
    this.#forget();
    void this.#load(0);
  }

  /** Lets go of everything. */
  clear(): void {
    this.#forget();
    this.#empty();
  }

  /** The same list may be another by now: what is in sight is read again, the rest once it is. */
  refresh(): void {
    for (const chunk of this.#chunks.keys()) this.#stale.add(chunk);
    this.look(this.#seen.first, this.#seen.last);
  }

  /** These rows are in sight. */
  look(first: number, last: number): void {
    this.#seen = { first, last };
    for (let chunk = Math.floor(first / CHUNK); chunk <= Math.floor(Math.max(first, last - 1) / CHUNK); chunk += 1) {
      if (!this.#chunks.has(chunk) || this.#stale.has(chunk)) void this.#load(chunk);
    }
  }

  /** The row, read if it isn't there yet. */
  async reach(index: number): Promise<T | null> {
    const chunk = Math.floor(index / CHUNK);
    if (!this.#chunks.has(chunk)) await this.#load(chunk);
    return this.at(index);
  }

  #load(chunk: number): Promise<void> {
    // What becomes stale while it is being read is read once more after that.
    const reading = this.#reading.get(chunk) ?? this.#fetch(chunk);
    this.#reading.set(chunk, reading);
    return reading;
  }

  async #fetch(chunk: number): Promise<void> {
    const wanted = this.#wanted;
    this.#stale.delete(chunk);
    try {
      const part = await this.#read(chunk * CHUNK, CHUNK);
      if (wanted !== this.#wanted) return;
      const chunks = new Map(this.#replaced ? [] : this.#chunks);
      if (this.#replaced) this.edition += 1;
      this.#replaced = false;
      chunks.set(chunk, part.rows);
      // A shorter list has no such parts any more.
      for (const one of chunks.keys()) if (one * CHUNK >= part.total && one > 0) chunks.delete(one);
      this.#chunks = chunks;
      this.total = part.total;
      this.loaded = true;
      this.failure = null;
    } catch (cause) {
      if (wanted !== this.#wanted) return;
      this.failure = asFailure(cause);
      if (this.#replaced) this.#empty();
    } finally {
      if (wanted === this.#wanted) {
        this.#reading.delete(chunk);
        if (this.#stale.has(chunk)) void this.#load(chunk);
      }
    }
  }

  #forget(): void {
    this.#wanted += 1;
    this.#reading.clear();
    this.#stale.clear();
    this.#seen = { first: 0, last: 0 };
    this.#replaced = true;
    this.failure = null;
  }

  #empty(): void {
    this.#chunks = new Map();
    this.total = 0;
    this.loaded = false;
  }
}
