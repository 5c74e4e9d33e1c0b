import { asFailure, type ChangeFeed, type Client, Deadline, Failed } from '$lib/api';
import type { Chat, Failure, OperationName, ParamsOf } from '$lib/api/generated';
import { LiveAnswer } from './liveAnswer';

export interface NewMessage {
  text: string;
  attachments: Chat.Attachment[];
  skill: string | null;
}

/** An answer stores its steps one by one, each of which is a change. */
const FOLLOW_INTERVAL_MS = 300;

const DELETED: Failure = { code: 'notFound', message: 'this chat was deleted', hint: 'start a new chat', fields: null, requestId: '' };

/** The chat that is shown. */
export class Conversation {
  detail = $state.raw<Chat.ChatDetail | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Whether an answer is being written. */
  running = $state(false);
  /** What arrived of the answer that is being written. Apart from `detail`, since it changes in every frame. */
  #live = $state.raw<{ message: string; steps: Chat.ChatStep[] } | null>(null);
  readonly last = $derived(this.detail?.messages.findLast((message) => message.role === 'assistant') ?? null);
  readonly #client: Client;
  readonly #arriving = new LiveAnswer((steps, message) => (this.#live = { message, steps }));
  readonly #changed = new Deadline(FOLLOW_INTERVAL_MS, () => void this.#follow());
  #id: string | null = null;
  /** Whether the answer to what was sent last has begun: the message is stored. */
  #began = false;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    feed.onChat((event) => void this.#onEvent(event));
    // Another process, or the answer of a session that was opened while it was written.
    feed.on('chat', ({ ids }) => {
      if (this.#id === null || !ids.includes(this.#id)) return;
      if (this.running) this.#changed.touch();
      else void this.#read(this.#id);
    });
  }

  /** Null shows an empty chat. */
  async open(id: string | null): Promise<void> {
    this.#id = id;
    this.#clearLive();
    this.detail = null;
    this.failure = null;
    this.running = false;
    if (id !== null) await this.#read(id);
  }

  /** Whether the message was stored. */
  async send({ text, attachments, skill }: NewMessage, edits: string | null = null): Promise<boolean> {
    return this.#write('chat/send', { session: this.#session, text, attachments, skill, edits });
  }

  async permit(call: string, permit: Chat.Permit): Promise<boolean> {
    return this.#write('chat/permit', { session: this.#session, call, permit });
  }

  async retry(message = this.last?.id): Promise<void> {
    if (message !== undefined) await this.#write('chat/retry', { session: this.#session, message });
  }

  async resume(): Promise<void> {
    await this.#write('chat/resume', { session: this.#session });
  }

  async stop(): Promise<void> {
    await this.#client.call('chat/stop', { session: this.#session }).catch(() => undefined);
  }

  async select(message: string): Promise<void> {
    await this.#apply(this.#client.call('chat/select', { session: this.#session, message }));
  }

  /** The steps of a message as they are now. */
  stepsOf(message: Chat.ChatEntry): Chat.ChatStep[] {
    return this.#live?.message === message.id ? this.#live.steps : message.steps;
  }

  get #session(): string {
    return this.#id ?? '';
  }

  async #write<N extends 'chat/send' | 'chat/permit' | 'chat/retry' | 'chat/resume'>(operation: N & OperationName, params: ParamsOf<N>): Promise<boolean> {
    this.running = true;
    this.#began = false;
    return (await this.#apply(this.#client.call(operation, params))) || this.#began;
  }

  async #apply(reply: Promise<Chat.ChatDetail>): Promise<boolean> {
    const id = this.#id;
    try {
      const detail = await reply;
      if (id !== this.#id || this.failure === DELETED) return true;
      this.#clearLive();
      this.detail = detail;
      this.failure = null;
      this.running = detail.active;
      return true;
    } catch (cause) {
      if (id === this.#id) {
        // Not how the call ended whose answer was stopped.
        if (this.failure !== DELETED) this.failure = asFailure(cause);
        this.running = false;
      }
      return false;
    }
  }

  async #read(id: string): Promise<void> {
    await this.#apply(this.#get(id));
  }

  async #get(session: string): Promise<Chat.ChatDetail> {
    try {
      return await this.#client.call('chat/get', { session });
    } catch (cause) {
      if (asFailure(cause).code === 'notFound') throw new Failed(DELETED);
      throw cause;
    }
  }

  /** The chat was changed while an answer is written, possibly by another process: reads all but the messages. */
  async #follow(): Promise<void> {
    const id = this.#id;
    if (id === null) return;
    try {
      const { session } = await this.#get(id);
      if (id === this.#id && this.detail) this.detail = { ...this.detail, session };
    } catch (cause) {
      if (id !== this.#id || asFailure(cause) !== DELETED) return;
      this.failure = DELETED;
      this.running = false;
      await this.stop();
    }
  }

  async #onEvent(event: Chat.ChatEvent): Promise<void> {
    if (event.session !== this.#id) return;
    if (event.event === 'began') {
      this.#began = true;
      this.#clearLive();
      const detail = await this.#client.call('chat/get', { session: event.session }).catch(() => null);
      const answer = detail?.messages.find((message) => message.id === event.message);
      // The call that writes the answer may have ended meanwhile, and has all of it.
      if (!detail || !answer || event.session !== this.#id || !this.running) return;
      this.detail = detail;
      this.#arriving.begin(answer.id, answer.steps);
    } else if (event.event === 'ended') this.#arriving.flush();
    else this.#arriving.apply(event);
  }

  #clearLive(): void {
    this.#arriving.clear();
    this.#live = null;
  }
}
