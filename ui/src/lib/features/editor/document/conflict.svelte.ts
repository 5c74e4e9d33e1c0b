import type { ConflictFields } from '$lib/api';
import type { FileEntry } from '$lib/api/generated';
import type { DocumentContent } from './content.svelte';
import { sha256 } from './sha256';
import type { FileState, StoredFile } from './storedFile.svelte';

/** A change of the file outside this editor while it has unsaved text. */
export interface ExternalChange {
  /** Null: the file was deleted. */
  theirs: string | null;
  revision: number;
  entry: FileEntry | null;
}

/** An external change that was merged into the unsaved text, and the state before that. */
export interface MergedChange {
  external: ExternalChange;
  /** The unsaved text before the merge. */
  ours: string;
  base: FileState;
}

/** The conflict between the unsaved text and a change of the file made elsewhere, which is announced and merged on request only. */
export class DocumentConflict {
  /** Null: none, or it was merged. */
  external = $state.raw<ExternalChange | null>(null);
  /** The conflict in the conflict view; null: the view is closed. */
  shown = $state.raw<ConflictFields | null>(null);
  /** Set until the merged text is saved. */
  merged = $state.raw<MergedChange | null>(null);
  readonly #file: StoredFile;
  readonly #content: DocumentContent;

  constructor(file: StoredFile, content: DocumentContent) {
    this.#file = file;
    this.#content = content;
  }

  /** The file or its skill was deleted elsewhere. */
  deleted(revision = this.#file.revision): void {
    this.external = { theirs: null, revision, entry: null };
  }

  /** Opens the conflict view. */
  show(): void {
    const { external } = this;
    const { path, text } = this.#file;
    if (external?.theirs == null || text === null) return;
    this.shown = { path, revision: external.revision, base: text, theirs: external.theirs, ours: this.#content.text() };
  }

  /** Closes the conflict view; the external change stays announced. */
  hide(): void {
    const { shown } = this;
    this.shown = null;
    if (shown) this.external ??= { theirs: shown.theirs, revision: shown.revision, entry: null };
  }

  /** Continues with a merged text, based on the other revision. Nothing is saved yet. */
  async merge(text: string): Promise<void> {
    const { external } = this;
    if (external?.theirs == null) return;
    const before = this.#file.entry;
    const entry = external.entry ?? (before && { ...before, sha256: await sha256(external.theirs) });
    if (this.external !== external) return;
    this.merged = { external, ours: this.#content.text(), base: this.#file.snapshot() };
    this.external = null;
    this.#file.rebase({ revision: external.revision, entry, text: external.theirs });
    this.#content.replace(text);
  }

  /** Restores the text before the merge; the external change is announced again. */
  undoMerge(): void {
    const { merged } = this;
    if (!merged) return;
    this.merged = null;
    this.#file.rebase(merged.base);
    this.external = merged.external;
    this.#content.replace(merged.ours);
  }

  /** Undoes the merge if the text was undone to before it, since saving would drop the other change. True if it did. */
  undoMergeIfReverted(): boolean {
    if (this.merged === null || !this.#content.buffer.equals(this.merged.ours)) return false;
    this.undoMerge();
    return true;
  }
}
