import { asFailure, type Client, Deadline, type ChangeFeed, Latest, skillKey } from '$lib/api';
import { queryWords } from '$lib/domain';
import { Instructions } from './instructions.svelte';
import type { Failure, Skill } from '$lib/api/generated';

/** Changes come in bursts: the list is reloaded at most this often. */
const CHANGES_INTERVAL_MS = 120;

/** All skills of both scopes by title, with the instructions of the current one. */
export class SkillList {
  /** Null until loaded. */
  list = $state.raw<readonly Skill.SkillSummary[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  query = $state('');
  readonly shown = $derived.by(() => {
    const words = queryWords(this.query);
    return (this.list ?? []).filter(({ name, slug, description }) => words.every((word) => `${name} ${slug} ${description}`.toLowerCase().includes(word)));
  });
  cursor = $state.raw<string | null>(null);
  readonly index = $derived(this.shown.findIndex((one) => skillKey(one) === this.cursor));
  readonly current = $derived(this.shown[this.index] ?? null);
  readonly instructions: Instructions;
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());
  readonly #changed = new Deadline(CHANGES_INTERVAL_MS, () => this.#latest.ask());
  readonly #unsubscribe: () => void;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.instructions = new Instructions(client);
    this.#unsubscribe = feed.on('skill', () => this.#changed.touch());
    this.#latest.ask();
  }

  close(): void {
    this.#changed.cancel();
    this.#unsubscribe();
  }

  refresh(): void {
    this.#latest.ask();
  }

  filter(query: string): void {
    this.query = query;
    if (this.index < 0) this.go(0);
  }

  go(index: number): void {
    const one = this.shown[index];
    const key = one ? skillKey(one) : null;
    if (key === this.cursor) return;
    this.cursor = key;
    void this.instructions.show(this.current);
  }

  async #read(): Promise<void> {
    const at = Math.max(0, this.index);
    const before = this.current;
    try {
      this.list = (await this.#client.call('skill/list', { view: 'all' })).skills;
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
      return;
    }
    // If the current skill was deleted, its neighbor becomes current.
    const now = this.shown[this.index];
    if (!now) this.go(Math.min(at, this.shown.length - 1));
    else if (before?.revision !== now.revision) void this.instructions.show(this.current);
  }
}
