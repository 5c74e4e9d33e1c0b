import { SvelteMap } from 'svelte/reactivity';
import { type Client, Deadline, type Settings, TYPED_SETTINGS, windowSettingKey } from '$lib/api';
import type { Chat } from '$lib/api/generated';
import { isRecord } from '$lib/domain';
import type { NewMessage } from './conversation.svelte';

export const NO_MESSAGE: NewMessage = { text: '', attachments: [], skill: null };

const KEY = `${TYPED_SETTINGS}chat`;
const SAVE_AFTER_MS = 350;
/** Below the limit of a setting. With more than this, attachments aren’t stored, only texts. */
const MAX_BYTES = 200_000;

const isEmpty = ({ text, attachments, skill }: NewMessage): boolean => text === '' && attachments.length === 0 && skill === null;

/** The message that is being typed in each chat. A later window of the workspace continues with them. */
export class UnsentMessages {
  /** By chat; a new one has an empty key. */
  readonly #messages = new SvelteMap<string, NewMessage>();
  readonly #client: Client;
  readonly #settings: Settings;
  readonly #soon = new Deadline(SAVE_AFTER_MS, () => this.#write());

  constructor(client: Client, settings: Settings) {
    this.#client = client;
    this.#settings = settings;
  }

  get(session: string | null): NewMessage {
    return this.#messages.get(session ?? '') ?? NO_MESSAGE;
  }

  set(session: string | null, message: NewMessage): void {
    if (isEmpty(message)) this.#messages.delete(session ?? '');
    else this.#messages.set(session ?? '', message);
    this.#soon.touch();
  }

  /** Stores what was typed, before another workspace is opened or the window closes. */
  async flush(): Promise<void> {
    this.#soon.flush();
    await this.#settings.flush();
  }

  /** Drops the messages of the workspace before. */
  clear(): void {
    this.#soon.cancel();
    this.#messages.clear();
  }

  /** Reads the messages of the open workspace. */
  restore(): void {
    const stored = this.#settings.get(this.#key);
    if (!isRecord(stored)) return;
    for (const [session, message] of Object.entries(stored)) {
      if (isMessage(message) && !this.#messages.has(session)) this.#messages.set(session, message);
    }
  }

  get #key(): string {
    return windowSettingKey(KEY, this.#client.windowKey);
  }

  #write(): void {
    let messages = [...this.#messages];
    const size = new TextEncoder().encode(JSON.stringify(messages)).length;
    if (size > MAX_BYTES) messages = messages.map(([session, message]) => [session, { ...message, attachments: [] }]);
    this.#settings.set(this.#key, messages.length === 0 ? null : Object.fromEntries(messages));
  }
}

function isMessage(value: unknown): value is NewMessage {
  if (!isRecord(value)) return false;
  const { text, attachments, skill } = value;
  return typeof text === 'string' && Array.isArray(attachments) && attachments.every(isAttachment) && (skill === null || typeof skill === 'string');
}

function isAttachment(value: unknown): value is Chat.Attachment {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['text'] === 'string';
}
