import { asFailure, type Client, Deadline, type ChangeFeed, Latest, skillKey } from '$lib/api';
import { queryWords } from '$lib/domain';
import type { DeletedContent, DeletedEntry, Failure } from '$lib/api/generated';

const SOON_MS = 120;

/** The deleted skills of both scopes that history still has, which of them are selected, and what is in the one at the cursor. */
export class DeletedSkills {
  /** Null while they are read. Last deleted first. */
  list = $state.raw<readonly DeletedEntry[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  query = $state('');
  readonly shown = $derived.by(() => {
    const words = queryWords(this.query);
    return (this.list ?? []).filter(({ name, slug }) => words.every((word) => `${name} ${slug}`.toLowerCase().includes(word)));
  });
  cursor = $state.raw<string | null>(null);
  readonly index = $derived(this.shown.findIndex((one) => skillKey(one) === this.cursor));
  #marked = $state.raw<ReadonlySet<string>>(new Set());
  /** The selected ones; the one at the cursor is one of them. */
  readonly selected = $derived(this.shown.filter((one) => this.#marked.has(skillKey(one))));
  /** What is in the skill at the cursor; null while it is read. */
  content = $state.raw<DeletedContent | null>(null);
  contentFailure = $state.raw<Failure | null>(null);
  path = $state.raw<string | null>(null);
  /** The text of the file at `path`: undefined while it is read, null when it isn't text. */
  text = $state.raw<string | null | undefined>(undefined);
  textFailure = $state.raw<Failure | null>(null);
  #anchor = 0;
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());
  readonly #soon = new Deadline(SOON_MS, () => this.#latest.ask());
  readonly #unsubscribe: () => void;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#unsubscribe = feed.on('skill', () => this.#soon.touch());
    this.#latest.ask();
  }

  close(): void {
    this.#soon.cancel();
    this.#unsubscribe();
  }

  refresh(): void {
    this.#latest.ask();
  }

  filter(query: string): void {
    this.query = query;
    if (this.index < 0) this.go(0);
  }

  isSelected(one: DeletedEntry): boolean {
    return this.#marked.has(skillKey(one));
  }

  /** Moves the cursor. `extend` selects everything from where the range began, `toggle` adds or removes one. */
  go(index: number, how: 'only' | 'extend' | 'toggle' = 'only'): void {
    const one = this.shown[index];
    if (!one) {
      [this.cursor, this.#marked] = [null, new Set()];
      this.#look();
      return;
    }
    const key = skillKey(one);
    if (how === 'extend') {
      const [first, last] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index)];
      this.#marked = new Set(this.shown.slice(first, last + 1).map(skillKey));
    } else {
      this.#anchor = index;
      const others = how === 'toggle' ? [...this.#marked].filter((marked) => marked !== key) : [];
      const off = how === 'toggle' && this.#marked.has(key) && others.length > 0;
      this.#marked = new Set(off ? others : [...others, key]);
    }
    if (key === this.cursor) return;
    this.cursor = key;
    this.#look();
  }

  selectAll(): void {
    this.#marked = new Set(this.shown.map(skillKey));
  }

  async show(path: string): Promise<void> {
    const { content } = this;
    if (!content) return;
    [this.path, this.text, this.textFailure] = [path, undefined, null];
    const isCurrent = (): boolean => this.content === content && this.path === path;
    try {
      const { text } = await this.#client.call('skill/deleted_file', { id: content.id, scope: content.scope, path });
      if (isCurrent()) this.text = text;
    } catch (cause) {
      if (isCurrent()) this.textFailure = asFailure(cause);
    }
  }

  /** Reads the content of the skill at the cursor. */
  look(): void {
    this.#look();
  }

  #look(): void {
    [this.content, this.contentFailure, this.path, this.text, this.textFailure] = [null, null, null, undefined, null];
    const one = this.shown[this.index];
    if (one) void this.#readContent(one);
  }

  async #readContent(one: DeletedEntry): Promise<void> {
    const key = skillKey(one);
    try {
      const content = await this.#client.call('skill/deleted_files', { id: one.id, scope: one.scope });
      if (this.cursor !== key) return;
      this.content = content;
      const first = content.entries.find(({ role }) => role === 'main') ?? content.entries.find(({ text }) => text);
      if (first) await this.show(first.path);
    } catch (cause) {
      if (this.cursor === key) this.contentFailure = asFailure(cause);
    }
  }

  async #read(): Promise<void> {
    const at = Math.max(0, this.index);
    try {
      const { skills } = await this.#client.call('skill/deleted', {});
      this.list = [...skills].sort((a, b) => (a.deleted_at < b.deleted_at ? 1 : a.deleted_at > b.deleted_at ? -1 : 0));
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
      return;
    }
    const there = new Set(this.list.map(skillKey));
    this.#marked = new Set([...this.#marked].filter((key) => there.has(key)));
    // The one at the cursor was restored elsewhere: its neighbor takes its place.
    if (this.index < 0) this.go(Math.min(at, this.shown.length - 1));
  }
}
