import { asFailure, type Client } from '$lib/api';
import type { EditResult, Failure, Files } from '$lib/api/generated';
import { DocumentConflict } from './conflict.svelte';
import { DocumentContent } from './content.svelte';
import { draftOfDeleted } from './deletedFile';
import { DocumentDiagnostics } from './diagnostics.svelte';
import { DocumentDraft } from './draft.svelte';
import { type DocumentKey, newPathOf, StoredFile } from './storedFile.svelte';
import { DocumentSync } from './sync.svelte';

export type { DocumentKey } from './storedFile.svelte';

export interface Position {
  line: number;
  column: number;
}

/** A position or range for the editor to reveal. */
export interface RevealTarget extends Position {
  /** The end of the selection; absent: only the cursor moves. */
  to?: Position;
  /** The focus doesn’t move. */
  quiet?: boolean;
}

export interface DocumentEvents {
  onSave: (result: EditResult) => void;
  onDraftDiscard?: () => void;
  /** The file was renamed by another window or program. */
  onRename?: () => void;
}

type LoadStatus = 'loading' | 'ready' | 'failed';

let count = 0;

/** An open file. */
export class Document {
  readonly id = `document-${++count}`;
  readonly file: StoredFile;
  readonly content: DocumentContent;
  readonly draft: DocumentDraft;
  readonly diagnostics: DocumentDiagnostics;
  readonly conflict: DocumentConflict;
  readonly sync: DocumentSync;
  status = $state<LoadStatus>('loading');
  /** Why loading failed. */
  failure = $state.raw<Failure | null>(null);
  /** What the editor should reveal next. */
  revealTarget = $state.raw<RevealTarget | null>(null);
  readonly #client: Client;
  #loading: Promise<void> | null = null;

  constructor(client: Client, key: DocumentKey, { onSave, onDraftDiscard = () => undefined, onRename = () => undefined }: DocumentEvents) {
    this.#client = client;
    this.file = new StoredFile(client, key);
    this.content = new DocumentContent(this.file, () => {
      this.draft.schedule();
      this.diagnostics.schedule();
    });
    this.draft = new DocumentDraft(client, this.file, this.content, onDraftDiscard);
    this.diagnostics = new DocumentDiagnostics(client, this.file, this.content);
    this.conflict = new DocumentConflict(this.file, this.content);
    const { file, content, draft, diagnostics, conflict } = this;
    const follow = async (path: string): Promise<void> => {
      const moved = moveDocument(this, path);
      onRename();
      await moved;
    };
    this.sync = new DocumentSync({ file, content, draft, diagnostics, conflict, onSave, renamedTo: () => newPathOf(client, file.key), follow });
  }

  /** Loads the stored file and its draft, unless that was done. With `followRename`, a renamed file is found by its new path. */
  load(followRename = false): Promise<void> {
    return (this.#loading ??= this.#load(followRename));
  }

  /** Stores unsaved text as a draft, then stops. A draft that was stored before follows a file that is `deleted` from here. */
  async close(deleted = false): Promise<void> {
    this.diagnostics.stop();
    await (deleted ? this.draft.flushUnstored() : this.draft.flush());
    this.draft.stop();
  }

  async #load(followRename: boolean): Promise<void> {
    this.status = 'loading';
    try {
      const stored = await this.file.read(followRename);
      this.file.rebase(stored);
      if (stored.text !== null) this.content.load(stored.text);
      this.failure = null;
      this.status = 'ready';
      await this.#restoreDraft(stored);
      if (stored.text !== null) void this.diagnostics.check();
    } catch (cause) {
      const failure = asFailure(cause);
      if (failure.code === 'notFound' && (await this.#restoreDeleted().catch(() => false))) return;
      this.failure = failure;
      this.status = 'failed';
      this.#loading = null;
    }
  }

  /** Continues with the text of a stored draft, based on the revision on which it was typed. */
  async #restoreDraft({ draft, entry, revision, text }: Files.FileContent): Promise<void> {
    if (!draft || text === null || draft.text === text) return;
    this.draft.adopt(draft);
    // The draft of a new file has no hash. If the file exists now, someone else created it.
    if (draft.base_sha256 !== entry.sha256) {
      this.conflict.external = { theirs: text, revision, entry };
      // With the hash of the base, a later state of the skill isn’t mistaken for this editor’s own.
      this.file.rebase({ revision: draft.base_revision, entry: { ...entry, sha256: draft.base_sha256 ?? '' }, text });
      this.file.text = await this.file.readRevision(draft.base_revision).catch(() => text);
    }
    this.content.load(draft.text);
    this.content.dirty = true;
  }

  /** Continues with the draft of a file that was deleted since. False if it has none. */
  async #restoreDeleted(): Promise<boolean> {
    const found = await draftOfDeleted(this.#client, this.file.key);
    if (!found) return false;
    this.file.rebase(found.base);
    this.draft.adopt(found.draft);
    this.content.load(found.draft.text);
    this.content.dirty = true;
    this.conflict.deleted();
    this.failure = null;
    this.status = 'ready';
    return true;
  }
}

/** The document if it is loaded and a text file, else null. */
export const loadedText = (document: Document | null): Document | null =>
  document?.status === 'ready' && document.file.text !== null ? document : null;

/** Follows a file that was renamed, with its draft. */
export async function moveDocument({ file, draft }: Document, path: string): Promise<void> {
  file.path = path;
  await draft.flush();
}
