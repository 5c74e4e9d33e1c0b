import type { DocumentKey, Position } from '../document/document.svelte';
import { sameFile } from '../document/storedFile.svelte';

/** A visited position; its line is null until the file was loaded. */
export interface Stop {
  key: DocumentKey;
  position: Position | null;
}

/** Cursor moves over fewer lines don't add an entry. */
const NEAR = 10;
const MAX = 100;

function near(a: Stop, b: Stop): boolean {
  if (!sameFile(a.key, b.key)) return false;
  return a.position === null || b.position === null || Math.abs(a.position.line - b.position.line) < NEAR;
}

/** Visited positions, for going back and forward. */
export class NavigationHistory {
  #stops: Stop[] = [];
  #at = -1;
  /** The entry that is being restored: positions until it is reached aren't recorded. */
  #running: Stop | null = null;

  get canGoBack(): boolean {
    return this.#at > 0;
  }

  get canGoForward(): boolean {
    return this.#at < this.#stops.length - 1;
  }

  visit(key: DocumentKey, position: Position | null): void {
    const stop = { key, position };
    if (this.#running) {
      const arrived = near(this.#running, stop) && position !== null;
      const elsewhere = !sameFile(this.#running.key, key);
      if (arrived || elsewhere) this.#running = null;
      if (!elsewhere) return;
    }
    const here = this.#stops[this.#at];
    if (here && near(here, stop)) {
      this.#stops[this.#at] = { key, position: position ?? here.position };
      return;
    }
    this.#stops = [...this.#stops.slice(0, this.#at + 1), stop].slice(-MAX);
    this.#at = this.#stops.length - 1;
  }

  /** The previous or next entry whose file still exists. */
  go(by: 1 | -1, exists: (key: DocumentKey) => boolean): Stop | null {
    for (let at = this.#at + by; at >= 0 && at < this.#stops.length; at += by) {
      const stop = this.#stops[at];
      if (!stop || !exists(stop.key)) continue;
      this.#at = at;
      this.#running = stop.position === null ? null : stop;
      return stop;
    }
    return null;
  }

  moved(from: DocumentKey, to: DocumentKey): void {
    this.#stops = this.#stops.map((stop) => (sameFile(stop.key, from) ? { ...stop, key: to } : stop));
  }

  clear(): void {
    this.#stops = [];
    this.#at = -1;
    this.#running = null;
  }
}
