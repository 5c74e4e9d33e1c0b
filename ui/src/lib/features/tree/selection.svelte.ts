import { isThing, type Row, type ThingRow } from './rows';

/** Which rows are chosen beside the one that the cursor is on, as in a list of files: one, a range, or here and there. */
export class Selection {
  ids = $state.raw<ReadonlySet<string>>(new Set());
  /** Where a range begins. */
  #anchor: string | null = null;

  get size(): number {
    return this.ids.size;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** The next range begins here. */
  anchor(id: string | null): void {
    this.#anchor = id;
    if (this.ids.size > 0) this.ids = new Set();
  }

  toggle(id: string, cursor: string | null): void {
    const ids = new Set(this.ids);
    // The row one is on is meant too, although nothing was chosen yet.
    if (ids.size === 0 && cursor !== null && cursor !== id) ids.add(cursor);
    if (!ids.delete(id)) ids.add(id);
    this.ids = ids;
    this.#anchor = id;
  }

  /** Everything from where the range began to this row. */
  extend(rows: readonly Row[], to: number, from: string | null): void {
    this.#anchor ??= from;
    const start = rows.findIndex((row) => row.id === this.#anchor);
    const [first, last] = [Math.min(start < 0 ? to : start, to), Math.max(start, to)];
    this.ids = new Set(rows.slice(first, last + 1).filter(isThing).map((row) => row.id));
  }

  set(rows: readonly Row[]): void {
    this.ids = new Set(rows.map((row) => row.id));
  }

  clear(): boolean {
    const had = this.ids.size > 0;
    if (had) this.ids = new Set();
    return had;
  }

  /** What something done on a row is done to: all that is chosen when the row is one of them, else the row. What is in a chosen folder goes with it. */
  of(row: Row | null, rows: readonly Row[]): ThingRow[] {
    if (!row || !isThing(row)) return [];
    if (!this.ids.has(row.id)) return [row];
    const chosen = rows.filter(isThing).filter((one) => this.ids.has(one.id));
    const within = (one: ThingRow): boolean => {
      for (let parent = one.parent; parent !== null; parent = parentOf(parent)) if (this.ids.has(parent)) return true;
      return false;
    };
    return chosen.filter((one) => !within(one));
  }
}

/** `workspace:id/a/b/` hangs under `workspace:id/a/`, that under `workspace:id`. */
function parentOf(id: string): string | null {
  const slash = id.lastIndexOf('/', id.length - 2);
  if (slash < 0) return null;
  const parent = id.slice(0, slash + 1);
  return parent.indexOf('/') === parent.length - 1 ? parent.slice(0, -1) : parent;
}
