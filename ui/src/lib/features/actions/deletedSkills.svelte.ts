import { asFailure, type Client, Deadline, type ChangeFeed, Latest, skillKey } from '$lib/api';
import { queryWords } from '$lib/domain';
import type { Failure, Skill } from '$lib/api/generated';
import { DeletedPreview } from './deletedPreview.svelte';
import { ListSelection } from './listSelection.svelte';

const SOON_MS = 120;

/** The deleted skills of both scopes that can be restored. */
export class DeletedSkills {
  /** Null while they are read. Last deleted first. */
  list = $state.raw<readonly Skill.DeletedEntry[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  query = $state('');
  /** The skills that match the query. */
  readonly shown = $derived.by(() => {
    const words = queryWords(this.query);
    return (this.list ?? []).filter(({ name, slug }) => words.every((word) => `${name} ${slug}`.toLowerCase().includes(word)));
  });
  /** The skill at the cursor. */
  readonly preview: DeletedPreview;
  readonly selection: ListSelection<Skill.DeletedEntry>;
  readonly #client: Client;
  readonly #latest = new Latest(() => this.#read());
  readonly #soon = new Deadline(SOON_MS, () => this.#latest.ask());
  readonly #unsubscribe: () => void;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.preview = new DeletedPreview(client);
    this.selection = new ListSelection(() => this.shown, skillKey, (skill) => void this.preview.show(skill));
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
    if (this.selection.index < 0) this.selection.go(0);
  }

  async #read(): Promise<void> {
    const at = Math.max(0, this.selection.index);
    try {
      const { skills } = await this.#client.call('skill/deleted', {});
      this.list = [...skills].sort((a, b) => (a.deleted_at < b.deleted_at ? 1 : a.deleted_at > b.deleted_at ? -1 : 0));
      this.failure = null;
    } catch (cause) {
      this.failure = asFailure(cause);
      return;
    }
    this.selection.retain(this.list);
    // The skill at the cursor was restored elsewhere: the cursor moves to its neighbor.
    if (this.selection.index < 0) this.selection.go(Math.min(at, this.shown.length - 1));
  }
}
