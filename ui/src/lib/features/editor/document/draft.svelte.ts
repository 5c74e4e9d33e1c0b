import { afterFrame, type Client, Deadline } from '$lib/api';
import type { DocumentContent } from './content.svelte';
import type { StoredFile } from './storedFile.svelte';

/** Whether the stored draft is up to date, so that a crash would lose nothing. */
export type DraftState = 'kept' | 'behind' | 'failed';

/** Delay before typed text is stored. Twice this stays below the second that a crash may lose. */
const DELAY_MS = 350;
const RETRY_MS = 2_000;

/** Stores unsaved text as a draft while it is typed, one request at a time. */
export class DocumentDraft {
  state = $state<DraftState>('kept');
  readonly #client: Client;
  readonly #file: StoredFile;
  readonly #content: DocumentContent;
  readonly #onDiscard: () => void;
  readonly #timer = new Deadline(DELAY_MS, () => afterFrame(() => void this.#enqueue()));
  #queue: Promise<void> = Promise.resolve();
  #isStored = false;
  /** The stored text. */
  #last: string | null = null;

  /** `onDiscard` is called when the stored draft was removed. */
  constructor(client: Client, file: StoredFile, content: DocumentContent, onDiscard: () => void) {
    this.#client = client;
    this.#file = file;
    this.#content = content;
    this.#onDiscard = onDiscard;
  }

  /** Continues with a draft that is stored already. */
  adopt(text: string): void {
    this.#isStored = true;
    this.#last = text;
  }

  /** Stores the draft soon. */
  schedule(): void {
    if (this.state === 'kept') this.state = 'behind';
    this.#timer.touch();
  }

  /** Stores the draft now. */
  async flush(): Promise<void> {
    this.#timer.cancel();
    await this.#enqueue();
  }

  stop(): void {
    this.#timer.cancel();
  }

  /** Stores the draft of a renamed file under its new path. */
  async moveFrom(path: string): Promise<void> {
    const { id: skill, scope } = this.#file.skill;
    if (this.#isStored) await this.#client.call('draft/discard', { skill, scope, path }).catch(() => undefined);
    this.#isStored = false;
    this.#last = null;
    await this.#enqueue();
  }

  /** Null if the text is saved. */
  #unsaved(): string | null {
    return this.#content.dirty ? this.#content.text() : null;
  }

  #enqueue(): Promise<void> {
    this.#queue = this.#queue.then(() => this.#send());
    return this.#queue;
  }

  async #send(): Promise<void> {
    const { skill, path, revision } = this.#file;
    const text = this.#unsaved();
    const target = { skill: skill.id, scope: skill.scope, path };
    try {
      if (text === null) {
        if (this.#isStored) {
          await this.#client.call('draft/discard', target);
          this.#onDiscard();
        }
        this.#isStored = false;
        this.#last = null;
      } else if (text !== this.#last) {
        await this.#client.call('draft/save', { ...target, base_revision: revision, text });
        this.#isStored = true;
        this.#last = text;
      }
      // Text that was typed meanwhile is sent by the next request.
      this.state = this.#unsaved() === text ? 'kept' : 'behind';
    } catch {
      this.state = 'failed';
      setTimeout(() => this.#timer.touch(), RETRY_MS);
    }
  }
}
