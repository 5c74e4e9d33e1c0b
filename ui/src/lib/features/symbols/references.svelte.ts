import { asFailure, type Client, type SkillKey } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { afterKey, baseName, folderOf } from '$lib/domain';
import type { Failure, FilePlaces, Named, Place, Uses } from '$lib/api/generated';
import type { TextsNow } from './vocabulary';

interface Base {
  id: string;
  file: FilePlaces;
  /** Only a person can tell whether it is meant. */
  loose: boolean;
}
export interface FileRow extends Base {
  kind: 'file';
  expanded: boolean;
  name: string;
  folder: string;
}
export interface PlaceRow extends Base {
  kind: 'place';
  place: Place;
}
export type Row = FileRow | PlaceRow;

export interface ReferenceEvents {
  /** `glance`: the keyboard stays in the list. */
  open: (key: SkillKey, path: string, place: Place, how: 'glance' | 'open') => void;
}

/** Where something is named: the list, and the cursor in it. */
export class References {
  title = $state('');
  found = $state.raw<Uses | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  cursor = $state<string | null>(null);
  readonly focusRequest = new ViewRequest();
  #closed = $state.raw<ReadonlySet<string>>(new Set());
  readonly rows = $derived.by(() => this.#flatten());
  readonly index = $derived(this.rows.findIndex(({ id }) => id === this.cursor));
  readonly count = $derived(count(this.found?.uses));
  readonly looseCount = $derived(count(this.found?.mentions));
  readonly #client: Client;
  readonly #events: ReferenceEvents;
  #asked = 0;

  constructor(client: Client, events: ReferenceEvents) {
    this.#client = client;
    this.#events = events;
  }

  async find(texts: TextsNow, named: Named): Promise<void> {
    const asked = ++this.#asked;
    [this.title, this.busy, this.failure] = [named.title, true, null];
    try {
      const found = await this.#client.call('symbol/uses', { skill: texts.key.id, scope: texts.key.scope, symbol: named.symbol, edits: texts.edits() });
      if (asked !== this.#asked) return;
      [this.found, this.#closed] = [found, new Set<string>()];
      this.cursor = this.rows.find((row) => row.kind === 'place')?.id ?? null;
    } catch (cause) {
      if (asked === this.#asked) [this.failure, this.found] = [asFailure(cause), null];
    } finally {
      if (asked === this.#asked) this.busy = false;
    }
  }

  /** Shows places that are known already. */
  put(title: string, found: Uses): void {
    this.#asked += 1;
    [this.title, this.found, this.failure, this.busy, this.#closed] = [title, found, null, false, new Set<string>()];
    this.cursor = this.rows.find((row) => row.kind === 'place')?.id ?? null;
  }

  clear(): void {
    this.#asked += 1;
    [this.title, this.found, this.failure, this.busy, this.cursor] = ['', null, null, false, null];
  }

  focus(): void {
    this.focusRequest.send();
  }

  /** Goes to the next place; false when there is none. */
  step(by: 1 | -1): boolean {
    const places = this.rows.filter((row): row is PlaceRow => row.kind === 'place');
    const at = places.findIndex(({ id }) => id === this.cursor);
    const row = places[at < 0 ? (by > 0 ? 0 : places.length - 1) : (at + by + places.length) % places.length];
    if (!row) return false;
    this.cursor = row.id;
    this.open(row, 'open');
    return true;
  }

  open({ file, place }: PlaceRow, how: 'glance' | 'open'): void {
    this.#events.open({ scope: file.scope, id: file.skill }, file.path, place, how);
  }

  toggle(row: FileRow): void {
    const closed = new Set(this.#closed);
    if (!closed.delete(row.id)) closed.add(row.id);
    this.#closed = closed;
  }

  click(row: Row): void {
    this.cursor = row.id;
    if (row.kind === 'file') this.toggle(row);
    else this.open(row, 'glance');
  }

  /** Handles a key on the list; false when it isn't one of its own. */
  key(key: string): boolean {
    const row = this.rows[this.index];
    const moved = afterKey(key, this.index, this.rows.length);
    if (moved !== null) {
      this.cursor = this.rows[Math.max(0, moved)]?.id ?? null;
      return true;
    }
    if (!row) return false;
    if (key === 'Enter') {
      if (row.kind === 'file') this.toggle(row);
      else this.open(row, 'open');
    } else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      if (row.kind === 'file' && row.expanded !== (key === 'ArrowRight')) this.toggle(row);
      else if (row.kind === 'place' && key === 'ArrowLeft') this.cursor = this.rows.findLast((one, at) => one.kind === 'file' && at < this.index)?.id ?? this.cursor;
    } else return false;
    return true;
  }

  #flatten(): Row[] {
    const rows: Row[] = [];
    const add = (files: readonly FilePlaces[], loose: boolean): void => {
      for (const file of files) {
        const id = `${loose ? 'loose' : 'sure'}:${file.scope}:${file.skill}/${file.path}`;
        const expanded = !this.#closed.has(id);
        rows.push({ kind: 'file', id, file, loose, expanded, name: baseName(file.path), folder: folderOf(file.path) });
        if (expanded) rows.push(...file.places.map((place): PlaceRow => ({ kind: 'place', id: `${id}:${place.line}:${place.column}`, file, loose, place })));
      }
    };
    add(this.found?.uses ?? [], false);
    add(this.found?.mentions ?? [], true);
    return rows;
  }
}

const count = (files: readonly FilePlaces[] | undefined): number => (files ?? []).reduce((sum, { places }) => sum + places.length, 0);
