import { isItem, type ItemRow, type Row } from './rows';

/** A row whose name is being typed. */
export interface RenameState {
  row: ItemRow;
  /** The typed text. It outlives the field, which is created again when its row moves. */
  text: string;
  problem: string | null;
  busy: boolean;
}

export interface RenameEvents {
  /** Whether a row can be renamed. If not, a notification says why. */
  mayRename: (row: Row) => boolean;
  /** Resolves with a problem, or null. */
  rename: (row: ItemRow, name: string) => Promise<string | null>;
  started: (row: ItemRow) => void;
  /** Renamed or canceled with the keyboard. */
  ended: () => void;
}

/** Renames a row in place. */
export class InlineRename {
  editing = $state.raw<RenameState | null>(null);
  readonly #events: RenameEvents;

  constructor(events: RenameEvents) {
    this.#events = events;
  }

  isEditing(row: Row): boolean {
    return this.editing?.row.id === row.id;
  }

  start(row: Row | null): void {
    if (!row || !isItem(row) || !this.#events.mayRename(row)) return;
    this.#events.started(row);
    this.editing = { row, text: row.label, problem: null, busy: false };
  }

  /** Renames to the typed text. A problem stays visible until it is fixed or canceled. */
  async commit(name: string): Promise<void> {
    const { editing } = this;
    if (!editing || editing.busy) return;
    if (name.trim() === '' || name === editing.row.label) {
      this.cancel();
      return;
    }
    this.editing = { ...editing, text: name, busy: true };
    const problem = await this.#events.rename(editing.row, name.trim());
    if (!this.isEditing(editing.row)) return;
    if (problem === null) this.cancel();
    else this.editing = { ...editing, text: name, problem, busy: false };
  }

  cancel(): void {
    this.discard();
    this.#events.ended();
  }

  /** Cancels without moving the focus. */
  discard(): void {
    this.editing = null;
  }
}
