import type { Services } from '$lib/workbench/services';
import { ChatAgent } from './chatAgent.svelte';
import { ChatList } from './chatList.svelte';
import { SessionActions } from './sessionActions.svelte';
import { Conversation, type NewMessage } from './conversation.svelte';
import { NO_MESSAGE } from './unsentMessages.svelte';

type Needs = Pick<Services, 'chatAgents' | 'client' | 'feed' | 'layout' | 'notifications' | 'overlays' | 'toasts' | 'unsentMessages'>;

export class ChatController {
  readonly list: ChatList;
  readonly conversation: Conversation;
  /** The chat that is shown; null for a new one, which is stored with its first message. */
  session = $state<string | null>(null);
  readonly actions: SessionActions;
  readonly agent: ChatAgent;
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.list = new ChatList(services.client, services.feed);
    this.conversation = new Conversation(services.client, services.feed);
    this.actions = new SessionActions(services, this.list, this.conversation, async (removed) => {
      services.unsentMessages.set(removed, NO_MESSAGE);
      if (removed === this.session) await this.open(null);
    });
    this.agent = new ChatAgent(services, this);
  }

  /** What is being typed in the chat that is shown. */
  get draft(): NewMessage {
    return this.#services.unsentMessages.get(this.session);
  }

  set draft(message: NewMessage) {
    this.#services.unsentMessages.set(this.session, message);
  }

  reset(): void {
    this.list.reset();
    this.session = null;
    this.agent.next = null;
    void this.conversation.open(null);
    if (this.#services.layout.view === 'chat') void this.list.load();
  }

  show(): void {
    this.#services.layout.view = 'chat';
  }

  async open(session: string | null): Promise<void> {
    this.session = session;
    this.actions.renaming = null;
    await this.conversation.open(session);
  }

  /** A new chat, perhaps with a message to begin with, and an agent. */
  start(message?: Partial<NewMessage>, agent: string | null = null): void {
    this.show();
    void this.open(null);
    this.agent.next = agent;
    if (message) this.draft = { ...NO_MESSAGE, ...message };
  }

  /** Sends what was typed. It stays if it can’t be sent. */
  async send(edits: string | null = null, message = this.draft): Promise<void> {
    if (message.text.trim() === '' && message.attachments.length === 0) return;
    if (this.session === null && !(await this.#create())) return;
    const { session } = this;
    if (edits === null) this.draft = NO_MESSAGE;
    const sent = await this.conversation.send(message, edits);
    if (!sent && edits === null && session === this.session && this.draft === NO_MESSAGE) this.draft = message;
  }

  /** Sends a message to a chat, and shows it. */
  async ask(session: string, text: string): Promise<void> {
    this.show();
    await this.open(session);
    await this.send(null, { ...NO_MESSAGE, text });
  }

  async #create(): Promise<boolean> {
    try {
      const { id } = await this.#services.client.call('chat/create', { agent: this.agent.next });
      this.#services.unsentMessages.set(null, NO_MESSAGE);
      this.session = id;
      this.agent.next = null;
      await this.conversation.open(id);
      return true;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t start a chat', cause);
      return false;
    }
  }
}
