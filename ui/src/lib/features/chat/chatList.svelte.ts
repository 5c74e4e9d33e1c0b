import { asFailure, type ChangeFeed, type Client, Deadline, Debounce, Latest } from '$lib/api';
import type { Chat, Failure } from '$lib/api/generated';

const SOON_MS = 150;
const TYPED_MS = 200;

/** The chats of the workspace. */
export class ChatList {
  sessions = $state.raw<Chat.ChatSummary[]>([]);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Shows only chats that contain it. */
  query = $state('');
  readonly #client: Client;
  readonly #latest = new Latest(() => this.load());
  readonly #soon = new Deadline(SOON_MS, () => this.#latest.ask());
  readonly #typed = new Debounce(TYPED_MS, () => this.#latest.ask());
  #request = 0;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    feed.on('chat', () => {
      if (this.loaded) this.#soon.touch();
    });
  }

  async load(): Promise<void> {
    const request = ++this.#request;
    try {
      const { sessions } = await this.#client.call('chat/list', { text: this.query.trim() });
      // The reply to an earlier query may arrive last.
      if (request !== this.#request) return;
      this.sessions = sessions;
      this.failure = null;
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
    }
    if (request === this.#request) this.loaded = true;
  }

  search(query: string): void {
    this.query = query;
    this.#typed.touch();
  }

  /** Starts over in another workspace. */
  reset(): void {
    this.sessions = [];
    this.loaded = false;
    this.query = '';
  }
}
