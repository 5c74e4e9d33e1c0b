import { afterFrame, type Client, Deadline } from '$lib/api';
import type { Draft } from '$lib/api/generated';
import type { DocumentContent } from './content.svelte';
import type { StoredFile } from './storedFile.svelte';

/** Whether the stored draft is up to date, so that a crash would lose nothing. */
export type DraftState = 'kept' | 'behind' | 'failed';

/** Delay before typed text is stored. Twice this stays below the second that a crash may lose. */
const DELAY_MS = 350;
const RETRY_MS = 2_000;

/** The stored draft, as far as this document knows. */
interface OwnDraft {
  path: string;
  updated_at: string;
  /** Null if it may have another text by now. */
  text: string | null;
}

/**
 * Stores unsaved text as a draft while it is typed, one request at a time. A file has one draft, so another window that has the file open may
 * replace or discard it.
 */
export class DocumentDraft {
  state = $state<DraftState>('kept');
  readonly #client: Client;
  readonly #file: StoredFile;
  readonly #content: DocumentContent;
  readonly #onDiscard: () => void;
  readonly #timer = new Deadline(DELAY_MS, () => afterFrame(() => void this.#enqueue()));
  readonly #workspace: string | null;
  #queue: Promise<void> = Promise.resolve();
  /** The draft that this document stored or continued; null if there is none, or if another window replaced it. */
  #own: OwnDraft | null = null;

  /** `onDiscard` is called when the stored draft was removed. */
  constructor(client: Client, file: StoredFile, content: DocumentContent, onDiscard: () => void) {
    this.#client = client;
    this.#workspace = client.workspace;
    this.#file = file;
    this.#content = content;
    this.#onDiscard = onDiscard;
  }

  /** Continues with a draft that is stored already. */
  adopt({ path, text, updated_at }: Draft): void {
    this.#own = { path, text, updated_at };
  }

  /** `mark` is the draft of the file that is stored now. Unsaved text whose draft was discarded by another window is stored again. */
  follow(mark: Draft.DraftMark | undefined): void {
    if (mark === undefined) void this.#enqueueAgain();
    else if (this.#own && mark.updated_at > this.#own.updated_at) this.#own = null;
  }

  /** Stores the draft soon. */
  schedule(): void {
    if (this.state === 'kept') this.state = 'behind';
    this.#timer.touch();
  }

  /** Stores the draft now, also in place of another window’s. */
  async flush(): Promise<void> {
    this.#timer.cancel();
    await this.#enqueueAgain();
  }

  /** Stores the draft now, unless it was stored before. */
  async flushUnstored(): Promise<void> {
    this.#timer.cancel();
    await this.#enqueue();
  }

  stop(): void {
    this.#timer.cancel();
  }

  /** Null if the text is saved. */
  #unsaved(): string | null {
    return this.#content.dirty ? this.#content.text() : null;
  }

  #enqueueAgain(): Promise<void> {
    if (this.#own) this.#own = { ...this.#own, text: null };
    return this.#enqueue();
  }

  #enqueue(): Promise<void> {
    this.#queue = this.#queue.then(() => this.#send());
    return this.#queue;
  }

  async #send(): Promise<void> {
    const { skill, path, revision } = this.#file;
    // A copy of the workspace that is open now may have a skill with the same ID.
    if (skill.scope === 'workspace' && this.#client.workspace !== this.#workspace) return;
    const text = this.#unsaved();
    const target = { skill: skill.id, scope: skill.scope };
    try {
      const own = this.#own;
      if (own && (text === null || own.path !== path)) {
        await this.#client.call('draft/discard', { ...target, path: own.path, updated_at: own.updated_at });
        this.#own = null;
        this.#onDiscard();
      }
      if (text !== null && text !== this.#own?.text) {
        const { updated_at } = await this.#client.call('draft/save', { ...target, path, base_revision: revision, text });
        this.#own = { path, text, updated_at };
      }
      // Text that was typed meanwhile is sent by the next request.
      this.state = this.#unsaved() === text ? 'kept' : 'behind';
    } catch {
      this.state = 'failed';
      setTimeout(() => this.#timer.touch(), RETRY_MS);
    }
  }
}
