import type { Services } from '$lib/workbench/services';
import { AgentPick } from './agentPick.svelte';
import type { ChatController } from './chatController.svelte';

/** The agent that answers in the chat that is shown. */
export class ChatAgent {
  /** Name of the agent of the next new chat. */
  next = $state<string | null>(null);
  /** Null without one. */
  readonly name = $derived.by(() => (this.#chat.session === null ? this.next : (this.#chat.conversation.detail?.session.agent ?? null)));
  readonly pick: AgentPick;
  readonly #services: Pick<Services, 'chatAgents' | 'overlays'>;
  readonly #chat: Pick<ChatController, 'actions' | 'conversation' | 'session'>;

  constructor(services: Pick<Services, 'chatAgents' | 'overlays'>, chat: Pick<ChatController, 'actions' | 'conversation' | 'session'>) {
    this.#services = services;
    this.#chat = chat;
    this.pick = new AgentPick(services.chatAgents);
  }

  /** Asks for another one in a palette. */
  ask(): void {
    this.pick.start(this.name);
    this.#services.overlays.show('chatAgent');
  }

  async choose(name: string | null): Promise<void> {
    const { session } = this.#chat;
    if (session === null) this.next = name;
    else await this.#chat.actions.chooseAgent(session, name);
  }
}
