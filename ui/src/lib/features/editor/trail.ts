import type { DocumentKey, Position } from './document.svelte';

/** A place where one was: a file, and where in it once that is known. */
export interface Stop {
  key: DocumentKey;
  position: Position | null;
}

/** Moving fewer lines than this is reading on, not going elsewhere. */
const NEAR = 10;
const MOST = 100;

const sameFile = (a: DocumentKey, b: DocumentKey): boolean => a.scope === b.scope && a.skillId === b.skillId && a.path === b.path;

function near(a: Stop, b: Stop): boolean {
  if (!sameFile(a.key, b.key)) return false;
  return a.position === null || b.position === null || Math.abs(a.position.line - b.position.line) < NEAR;
}

/** The places one was at, to go back to and forward again. */
export class Trail {
  #stops: Stop[] = [];
  #at = -1;
  /** Where it is being gone to: what happens on the way there is no place. */
  #going: Stop | null = null;

  get canGoBack(): boolean {
    return this.#at > 0;
  }

  get canGoOn(): boolean {
    return this.#at < this.#stops.length - 1;
  }

  visit(key: DocumentKey, position: Position | null): void {
    const stop = { key, position };
    if (this.#going) {
      const arrived = near(this.#going, stop) && position !== null;
      const elsewhere = !sameFile(this.#going.key, key);
      if (arrived || elsewhere) this.#going = null;
      if (!elsewhere) return;
    }
    const here = this.#stops[this.#at];
    if (here && near(here, stop)) {
      this.#stops[this.#at] = { key, position: position ?? here.position };
      return;
    }
    this.#stops = [...this.#stops.slice(0, this.#at + 1), stop].slice(-MOST);
    this.#at = this.#stops.length - 1;
  }

  /** The place before or after this one that is still there. */
  go(by: 1 | -1, exists: (key: DocumentKey) => boolean): Stop | null {
    for (let at = this.#at + by; at >= 0 && at < this.#stops.length; at += by) {
      const stop = this.#stops[at];
      if (!stop || !exists(stop.key)) continue;
      this.#at = at;
      this.#going = stop.position === null ? null : stop;
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
    this.#going = null;
  }
}
