// Chats in memory. What a model answers is set by the test.
import type { Chat, OutputOf, Role } from '$lib/api/generated';
import { FakeAgents } from './agents';
import { fail, type FakeStore, type Handlers } from './store';

type ChatOperations = Pick<Handlers, Extract<keyof Handlers, `chat/${string}` | `agent/${string}` | `note/${string}` | 'prompt/index'>>;

export class FakeChats {
  readonly sessions: Chat.ChatSummary[] = [];
  #note = '';
  /** All versions of all messages. */
  readonly messages: Chat.ChatEntry[] = [];
  readonly agents = new FakeAgents((kind, id) => queueMicrotask(() => this.#store.emit(kind, [id], 'account', 'window')));
  /** The steps of the next answer, and how it ends. */
  next: { steps: Chat.ChatStep[]; status: Chat.MessageStatus; error?: Chat.ChatError } = { steps: [], status: 'done' };
  readonly #store: FakeStore;
  readonly #listeners = new Set<(event: Chat.ChatEvent) => void>();
  #ids = 0;

  constructor(store: FakeStore) {
    this.#store = store;
  }

  listen(listener: (event: Chat.ChatEvent) => void): Promise<() => void> {
    this.#listeners.add(listener);
    return Promise.resolve(() => this.#listeners.delete(listener));
  }

  emit(event: Chat.ChatEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  readonly handlers: ChatOperations = {
    'chat/list': ({ text = '' }) => ({ sessions: this.sessions.filter((one) => one.title.includes(text)) }),
    'chat/create': ({ model = null, agent = null }) => {
      const session: Chat.ChatSummary = { id: `chat-${++this.#ids}`, workspace: this.#store.workspace ?? '', title: 'New chat', agent, model, head: null, ...this.#times(), messages: 0, input_tokens: null, output_tokens: null, estimated_cost: null };
      this.sessions.unshift(session);
      return session;
    },
    'chat/get': ({ session }) => this.#detail(session),
    'chat/update': ({ session, title, model, agent }) => {
      const found = this.#session(session);
      if (title != null) found.title = title;
      if (model !== undefined) found.model = model;
      if (agent !== undefined) found.agent = agent;
      return found;
    },
    'chat/delete': ({ session }) => {
      this.sessions.splice(this.sessions.indexOf(this.#session(session)), 1);
      return {};
    },
    'chat/send': ({ session, text, attachments = [], skill = null, edits = null }) => {
      const found = this.#session(session);
      if (found.head === null) found.title = text;
      const parent = edits === null ? found.head : (this.messages.find((one) => one.id === edits)?.parent ?? null);
      const asked = this.#add(session, parent, 'user', { text, attachments, skill });
      return this.#answer(session, asked.id);
    },
    'chat/retry': ({ session, message }) => this.#answer(session, this.messages.find((one) => one.id === message)?.parent ?? ''),
    'chat/resume': ({ session }) => this.#goOn(session),
    'chat/permit': ({ session, call, permit }) => {
      for (const step of this.messages.at(-1)?.steps ?? []) if (step.kind === 'tool' && step.call.id === call) step.status = permit === 'deny' ? 'denied' : 'done';
      return this.#goOn(session);
    },
    'chat/stop': () => ({}),
    'chat/select': ({ session, message }) => {
      this.#session(session).head = this.messages.findLast((one) => one.parent === message)?.id ?? message;
      return this.#detail(session);
    },
    'chat/withdraw': () => ({ count: 0 }),
    'chat/mark': ({ message, feedback = null }) => {
      const found = this.messages.find((one) => one.id === message);
      if (found) found.feedback = feedback;
      return {};
    },
    ...this.agents.handlers,
    'chat/attach': ({ paths }) => this.#attach(paths),
    'note/get': () => ({ account: this.#note, workspace: null, limit: 4096 }),
    'note/set': ({ text }) => ({ account: (this.#note = text), workspace: null, limit: 4096 }),
    'prompt/index': () => ({ text: '', tokens: 0, left_out: [] }),
  };

  /** Files that end with `.md` are texts, others are binary, and names without an extension are folders. */
  #attach(paths: readonly string[]): OutputOf<'chat/attach'> {
    const names = paths.map((path) => path.split('/').at(-1) ?? path);
    const refused = names.filter((name) => !name.endsWith('.md'));
    return {
      attachments: names.filter((name) => name.endsWith('.md')).map((name) => ({ name, text: `# ${name}\n` })),
      refused: refused.map((name) => ({ name, reason: name.includes('.') ? 'binary' : 'folder' })),
    };
  }

  #times(): { created_at: string; updated_at: string } {
    const now = new Date(this.#store.now).toISOString();
    return { created_at: now, updated_at: now };
  }

  #session(id: string): Chat.ChatSummary {
    const found = this.sessions.find((one) => one.id === id);
    if (!found) throw fail('notFound', 'the chat doesn’t exist');
    return found;
  }

  #add(session: string, parent: string | null, role: Role, more: Partial<Chat.ChatEntry>): Chat.ChatEntry {
    const id = `message-${++this.#ids}`;
    const entry: Chat.ChatEntry = { id, session, parent, role, status: 'done', created_at: this.#times().created_at, text: '', attachments: [], skill: null, error: null, model: null, input_tokens: null, output_tokens: null, estimated_cost: null, feedback: null, steps: [], versions: [], ...more };
    this.messages.push(entry);
    this.#session(session).head = id;
    return entry;
  }

  #answer(session: string, parent: string): Chat.ChatDetail {
    const { steps, status, error } = structuredClone(this.next);
    this.#add(session, parent, 'assistant', { steps, status, error: error ?? null, model: 'tiny', input_tokens: 10, output_tokens: 5 });
    return this.#detail(session);
  }

  #goOn(session: string): Chat.ChatDetail {
    const answer = this.messages.at(-1);
    if (answer) Object.assign(answer, { status: this.next.status, error: null, steps: [...answer.steps, ...structuredClone(this.next.steps)] });
    return this.#detail(session);
  }

  #detail(id: string): Chat.ChatDetail {
    const session = this.#session(id);
    const branch: Chat.ChatEntry[] = [];
    for (let at = session.head; at !== null; ) {
      const message = this.messages.find((one) => one.id === at);
      if (!message) break;
      const versions = this.messages.filter((one) => one.session === id && one.parent === message.parent && one.role === message.role).map((one) => one.id);
      branch.unshift({ ...message, versions });
      at = message.parent;
    }
    return { session, messages: branch, active: false };
  }
}
