import { asFailure, conflictOf, diagnosticsOf } from '$lib/api';
import type { EditResult, Failure, Files, SkillDetail } from '$lib/api/generated';
import type { DocumentConflict } from './conflict.svelte';
import type { DocumentContent } from './content.svelte';
import type { DocumentDiagnostics } from './diagnostics.svelte';
import type { DocumentDraft } from './draft.svelte';
import { sha256 } from './sha256';
import type { StoredFile } from './storedFile.svelte';

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed';

interface SyncParts {
  file: StoredFile;
  content: DocumentContent;
  draft: DocumentDraft;
  diagnostics: DocumentDiagnostics;
  conflict: DocumentConflict;
  onSave: (result: EditResult) => void;
  /** The new path of the file if it was renamed, else null. */
  renamedTo: () => Promise<string | null>;
  /** Continues with the file under its new path. */
  follow: (path: string) => Promise<void>;
}

/** Saves the text of a document, and applies changes of its file made elsewhere. */
export class DocumentSync {
  saving = $state(false);
  /** Resolves once no save is in progress. */
  idle = Promise.resolve();
  /** Resolves once the newest state of the skill is applied. */
  applied = Promise.resolve();
  /** Why the last save failed. */
  failure = $state.raw<Failure | null>(null);
  /** The edition that couldn’t be saved. */
  #failedEdition = $state<number | null>(null);
  readonly saveState = $derived.by<SaveState>(() => {
    const { content } = this.#parts;
    if (this.saving) return 'saving';
    if (!content.dirty) return 'saved';
    return this.#failedEdition === content.edition ? 'failed' : 'unsaved';
  });
  /** A state that arrived while the text was being saved. */
  #pending: SkillDetail | null = null;
  readonly #parts: SyncParts;

  constructor(parts: SyncParts) {
    this.#parts = parts;
  }

  /** Saves the text as a new revision. True if there are no unsaved changes afterwards. */
  async save(why?: string): Promise<boolean> {
    const { file, content, conflict } = this.#parts;
    if (!content.dirty || this.saving || file.text === null) return !content.dirty;
    const text = content.text();
    if (conflict.undoMergeIfReverted()) {
      conflict.show();
      return false;
    }
    this.saving = true;
    let end = (): void => undefined;
    this.idle = new Promise((resolve) => (end = resolve));
    try {
      this.#saved(text, await file.write(text, why));
      return true;
    } catch (cause) {
      this.#refused(asFailure(cause));
      return false;
    } finally {
      this.saving = false;
      end();
      const pending = this.#pending;
      this.#pending = null;
      if (pending) void this.apply(pending);
    }
  }

  /** Applies a newer state of the skill, whatever changed it. */
  apply(detail: SkillDetail): Promise<void> {
    return (this.applied = this.#apply(detail));
  }

  async reread(): Promise<void> {
    try {
      this.#update(await this.#parts.file.read());
    } catch {
      // The next change event or save reports it.
    }
  }

  async #apply(detail: SkillDetail): Promise<void> {
    const { file, conflict, renamedTo, follow } = this.#parts;
    const isLoaded = file.entry !== null;
    if (!isLoaded || detail.revision < file.revision) return;
    if (this.saving) {
      this.#pending = detail;
      return;
    }
    const { path } = file;
    const entry = detail.entries.find((candidate) => candidate.path === path);
    if (!entry) {
      conflict.deleted(detail.revision);
      const renamed = await renamedTo();
      // Meanwhile this window may have renamed it, or saved the text again.
      const isStillMissing = file.path === path && conflict.external?.theirs === null;
      if (!isStillMissing || renamed === null || !detail.entries.some((one) => one.path === renamed)) return;
      await follow(renamed);
      return this.#apply(detail);
    }
    if (entry.sha256 === file.entry?.sha256) {
      file.rebase({ revision: detail.revision, entry, text: file.text });
      conflict.external = null;
      return;
    }
    try {
      this.#update(await file.read());
    } catch (cause) {
      if (asFailure(cause).code === 'notFound') conflict.deleted(detail.revision);
    }
  }

  /** Shows the stored text, or announces it as an external change if there are unsaved edits. */
  #update({ revision, entry, text }: Files.FileContent): void {
    const { file, content, draft, diagnostics, conflict } = this.#parts;
    if (revision < file.revision) return;
    if (revision > file.revision) conflict.merged = null;
    if (text !== null && content.dirty && !content.buffer.equals(text)) {
      conflict.external = { theirs: text, revision, entry };
      return;
    }
    file.rebase({ revision, entry, text });
    content.load(text ?? content.text());
    conflict.external = null;
    void draft.flush();
    diagnostics.schedule();
  }

  #saved(text: string, { skill, revision, before, diagnostics: found }: EditResult): void {
    const { file, content, draft, diagnostics, conflict, onSave } = this.#parts;
    [conflict.merged, conflict.external] = [null, null];
    file.rebase({ revision, entry: skill.entries.find((entry) => entry.path === file.path) ?? file.entry, text });
    content.compareWithStored();
    [this.failure, this.#failedEdition] = [null, null];
    const own = found.filter((diagnostic) => diagnostic.file === file.path);
    if (!content.dirty && JSON.stringify(own) !== JSON.stringify(diagnostics.list)) diagnostics.list = own;
    void draft.flush();
    onSave({ skill, revision, before, rebased: false, diagnostics: found });
    void this.#verify(text);
  }

  /** The core may normalize what was sent, such as frontmatter: then the stored text is shown. */
  async #verify(text: string): Promise<void> {
    const { file } = this.#parts;
    const stored = file.entry?.sha256;
    if (!stored || (await sha256(text)) === stored || this.saving || file.text !== text) return;
    await this.reread();
  }

  #refused(failure: Failure): void {
    const { file, content, draft, diagnostics, conflict } = this.#parts;
    this.failure = failure;
    const fields = conflictOf(failure);
    if (fields) {
      conflict.shown = { ...fields, ours: content.text() };
      // The core stored the refused text as the draft.
      void draft.flush();
      return;
    }
    this.#failedEdition = content.edition;
    const found = diagnosticsOf(failure).filter((one) => one.file === null || one.file === file.path);
    if (found.length > 0) diagnostics.list = found;
  }
}
