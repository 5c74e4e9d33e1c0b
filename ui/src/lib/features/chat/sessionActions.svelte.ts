import type { Chat, ModelRef } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import type { ChatList } from './chatList.svelte';
import type { Conversation } from './conversation.svelte';

type Needs = Pick<Services, 'client' | 'notifications' | 'toasts'>;

/** What can be done to a chat beside writing messages. */
export class SessionActions {
  /** The chat whose title is being edited. */
  renaming = $state<string | null>(null);
  /** The chat that is about to be deleted, if the user confirms it. */
  removing = $state<string | null>(null);
  readonly #services: Needs;
  readonly #list: ChatList;
  readonly #conversation: Conversation;
  readonly #removed: (session: string) => Promise<void>;

  constructor(services: Needs, list: ChatList, conversation: Conversation, removed: (session: string) => Promise<void>) {
    this.#services = services;
    this.#list = list;
    this.#conversation = conversation;
    this.#removed = removed;
  }

  async rename(session: string, title: string): Promise<void> {
    this.renaming = null;
    if (title.trim() === '') return;
    await this.#do('Couldn’t rename the chat', async (client) => this.#changed(await client.call('chat/update', { session, title })));
  }

  /** Null is the default model. */
  async choose(session: string, model: ModelRef | null): Promise<void> {
    await this.#do('Couldn’t change the model', async (client) => this.#changed(await client.call('chat/update', { session, model })));
  }

  /** Null for none. */
  async chooseAgent(session: string, agent: string | null): Promise<void> {
    await this.#do('Couldn’t change the agent', async (client) => this.#changed(await client.call('chat/update', { session, agent })));
  }

  async remove(session: string): Promise<void> {
    this.removing = null;
    await this.#do('Couldn’t delete the chat', async (client) => {
      await client.call('chat/delete', { session });
      await this.#removed(session);
    });
  }

  async mark({ id: message, session }: Chat.ChatEntry, feedback: Chat.Feedback | null): Promise<void> {
    await this.#do('Couldn’t mark the answer', async (client) => {
      await client.call('chat/mark', { session, message, feedback });
      const { detail } = this.#conversation;
      if (detail?.session.id !== session) return;
      this.#conversation.detail = { ...detail, messages: detail.messages.map((one) => (one.id === message ? { ...one, feedback } : one)) };
    });
  }

  async withdraw(): Promise<void> {
    await this.#do('Couldn’t withdraw the permissions', async (client) => {
      const { count } = await client.call('chat/withdraw', {});
      const withdrawn = count === 1 ? 'Withdrew 1 permission' : `Withdrew ${count} permissions`;
      this.#services.toasts.show(count === 0 ? 'No tool was permitted for always' : withdrawn, { tone: 'ok' });
    });
  }

  #changed(session: Chat.ChatSession): void {
    const { detail } = this.#conversation;
    if (detail?.session.id === session.id) this.#conversation.detail = { ...detail, session };
  }

  async #do(what: string, change: (client: Needs['client']) => Promise<void>): Promise<void> {
    try {
      await change(this.#services.client);
      await this.#list.load();
    } catch (cause) {
      this.#services.notifications.report(what, cause);
    }
  }
}
