import { type Client, Debounce } from '$lib/api';
import type { NewMessage } from './conversation.svelte';

const TYPED_MS = 80;
const SHOWN = 8;

export interface Suggestion {
  id: string;
  label: string;
  about: string;
}

type Kind = 'skill' | 'page';

/** Skills after `/` and pages after `@`, while a message is typed. */
export class Completion {
  suggestions = $state.raw<Suggestion[]>([]);
  index = $state(0);
  kind = $state<Kind | null>(null);
  readonly #client: Client;
  readonly #soon = new Debounce(TYPED_MS, () => void this.#search());
  #query = '';
  #start = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** `before` is the text before the cursor. */
  type(before: string): void {
    const skill = /^\/([^\s/]*)$/.exec(before);
    const page = /(?:^|\s)@([^\n@]{0,60})$/.exec(before);
    const found = skill ?? page;
    if (!found || (page && this.#client.workspace === null)) {
      this.close();
      return;
    }
    this.kind = skill ? 'skill' : 'page';
    this.#query = found[1] ?? '';
    this.#start = before.length - this.#query.length - 1;
    this.#soon.touch();
  }

  step(by: number): void {
    const count = this.suggestions.length;
    if (count > 0) this.index = (this.index + by + count) % count;
  }

  close(): void {
    this.kind = null;
    this.suggestions = [];
    this.index = 0;
  }

  /** The message with the suggestion instead of what was typed for it. */
  async accept(message: NewMessage, cursor: number, suggestion = this.suggestions[this.index]): Promise<NewMessage> {
    const { kind } = this;
    this.close();
    if (!suggestion || kind === null) return message;
    const text = message.text.slice(0, this.#start) + message.text.slice(cursor).replace(/^ /, '');
    if (kind === 'skill') return { ...message, text, skill: suggestion.id };
    const { page } = await this.#client.call('page/get', { slug: suggestion.id });
    const attachment = { name: page.title, text: page.body };
    return { ...message, text: `${message.text.slice(0, this.#start)}${page.title} ${message.text.slice(cursor)}`, attachments: [...message.attachments, attachment] };
  }

  async #search(): Promise<void> {
    const [kind, query] = [this.kind, this.#query];
    const found = await (kind === 'skill' ? this.#skills(query) : this.#pages(query)).catch(() => []);
    if (kind !== this.kind || query !== this.#query) return;
    this.suggestions = found;
    this.index = 0;
  }

  async #skills(query: string): Promise<Suggestion[]> {
    const { found } = await this.#client.call('file/find', { query, limit: 50 });
    const skills = found.filter((one) => one.path === null).slice(0, SHOWN);
    return skills.map(({ slug, name }) => ({ id: slug, label: name, about: slug }));
  }

  async #pages(query: string): Promise<Suggestion[]> {
    if (query.trim() === '') {
      const { pages } = await this.#client.call('page/list', { limit: SHOWN });
      return pages.map(({ slug, title, path }) => ({ id: slug, label: title, about: path }));
    }
    const { hits } = await this.#client.call('page/search', { query, limit: SHOWN });
    return hits.map(({ slug, title, snippet }) => ({ id: slug, label: title, about: snippet }));
  }
}
