import type { SkillKey } from '$lib/api';
import { ViewRequest } from '$lib/components';
import { afterKey, baseName, folderOf } from '$lib/domain';
import type { Symbols } from '$lib/api/generated';

interface BaseRow {
  id: string;
  file: Symbols.FileLocations;
  /** Only the text matches, so that it may mean something else. */
  isTextMatch: boolean;
}
export interface FileRow extends BaseRow {
  kind: 'file';
  expanded: boolean;
  name: string;
  folder: string;
}
export interface LocationRow extends BaseRow {
  kind: 'location';
  location: Symbols.Location;
}
export type Row = FileRow | LocationRow;

export interface ReferenceEvents {
  /** In a preview, the focus stays in the list. */
  open: (key: SkillKey, path: string, location: Symbols.Location, how: 'preview' | 'open') => void;
}

/** The tree of references by file, and the cursor in it. */
export class ReferenceList {
  cursor = $state<string | null>(null);
  readonly focusRequest = new ViewRequest();
  #collapsed = $state.raw<ReadonlySet<string>>(new Set());
  readonly rows = $derived.by(() => this.#flatten());
  readonly index = $derived(this.rows.findIndex(({ id }) => id === this.cursor));
  readonly #uses: () => Symbols.Uses | null;
  readonly #events: ReferenceEvents;

  constructor(uses: () => Symbols.Uses | null, events: ReferenceEvents) {
    this.#uses = uses;
    this.#events = events;
  }

  /** Expands all files and moves the cursor to the first reference. */
  reset(): void {
    this.#collapsed = new Set<string>();
    this.cursor = this.rows.find((row) => row.kind === 'location')?.id ?? null;
  }

  /** Opens the next reference, wrapping around; false if there is none. */
  step(by: 1 | -1): boolean {
    const locations = this.rows.filter((row): row is LocationRow => row.kind === 'location');
    const at = locations.findIndex(({ id }) => id === this.cursor);
    const row = locations[at < 0 ? (by > 0 ? 0 : locations.length - 1) : (at + by + locations.length) % locations.length];
    if (!row) return false;
    this.cursor = row.id;
    this.open(row, 'open');
    return true;
  }

  open({ file, location }: Pick<LocationRow, 'file' | 'location'>, how: 'preview' | 'open'): void {
    this.#events.open({ scope: file.scope, id: file.skill }, file.path, location, how);
  }

  click(row: Row): void {
    this.cursor = row.id;
    if (row.kind === 'file') this.#toggle(row);
    else this.open(row, 'preview');
  }

  /** Handles a key press; false if the key does nothing. */
  key(key: string): boolean {
    const row = this.rows[this.index];
    const moved = afterKey(key, this.index, this.rows.length);
    if (moved !== null) {
      this.cursor = this.rows[Math.max(0, moved)]?.id ?? null;
      return true;
    }
    if (!row) return false;
    if (key === 'Enter') {
      if (row.kind === 'file') this.#toggle(row);
      else this.open(row, 'open');
    } else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      if (row.kind === 'file' && row.expanded !== (key === 'ArrowRight')) this.#toggle(row);
      else if (row.kind === 'location' && key === 'ArrowLeft') this.cursor = this.rows.findLast((one, at) => one.kind === 'file' && at < this.index)?.id ?? this.cursor;
    } else return false;
    return true;
  }

  #toggle(row: FileRow): void {
    const collapsed = new Set(this.#collapsed);
    if (!collapsed.delete(row.id)) collapsed.add(row.id);
    this.#collapsed = collapsed;
  }

  #flatten(): Row[] {
    const rows: Row[] = [];
    const add = (files: readonly Symbols.FileLocations[], isTextMatch: boolean): void => {
      for (const file of files) {
        const id = `${isTextMatch ? 'text' : 'symbol'}:${file.scope}:${file.skill}/${file.path}`;
        const expanded = !this.#collapsed.has(id);
        rows.push({ kind: 'file', id, file, isTextMatch, expanded, name: baseName(file.path), folder: folderOf(file.path) });
        if (expanded) rows.push(...file.locations.map((location): LocationRow => ({ kind: 'location', id: `${id}:${location.line}:${location.column}`, file, isTextMatch, location })));
      }
    };
    const uses = this.#uses();
    add(uses?.uses ?? [], false);
    add(uses?.mentions ?? [], true);
    return rows;
  }
}
