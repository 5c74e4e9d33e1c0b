import { asFailure, type Client, Deadline, type ChangeFeed, Latest, type SkillKey, skillKey } from '$lib/api';
import { queryWords } from '$lib/domain';
import type { Failure, SkillSummary } from '$lib/api/generated';

const SOON_MS = 120;

/** All skills of both scopes by title, and the instructions of the one at the cursor. */
export class SkillList {
  /** Null while they are read. */
  list = $state.raw<readonly SkillSummary[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  query = $state('');
  readonly shown = $derived.by(() => {
    const words = queryWords(this.query);
    return (this.list ?? []).filter(({ name, slug, description }) => words.every((word) => `${name} ${slug} ${description}`.toLowerCase().includes(word)));
  });
  cursor = $state.raw<string | null>(null);
  readonly index = $derived(this.shown.findIndex((one) => skillKey(one) === this.cursor));
  readonly current = $derived(this.shown[this.index] ?? null);
  /** SKILL.md of the one at the cursor: undefined while it is read, null when there is none. */
  text = $state.raw<string | null | undefined>(undefined);
  textFailure = $state.raw<Failure | null>(null);
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

  go(index: number): void {
    const one = this.shown[index];
    const key = one ? skillKey(one) : null;
    if (key === this.cursor) return;
    this.cursor = key;
    void this.look();
  }

  /** Reads the instructions of the skill at the cursor. */
  async look(): Promise<void> {
    const one = this.current;
    [this.text, this.textFailure] = [undefined, null];
    if (!one) return;
    const isCurrent = (): boolean => this.cursor === skillKey(one);
    try {
      const { entries } = await this.#client.call('skill/get', named(one));
      const main = entries.find(({ role }) => role === 'main');
      const text = main ? (await this.#client.call('file/read', { ...named(one), path: main.path })).text : null;
      if (isCurrent()) this.text = text === null ? null : bodyOf(text, one.name);
    } catch (cause) {
      if (isCurrent()) this.textFailure = asFailure(cause);
    }
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
    // The one at the cursor was deleted: its neighbor takes its place.
    const now = this.shown[this.index];
    if (!now) this.go(Math.min(at, this.shown.length - 1));
    else if (before?.revision !== now.revision) void this.look();
  }
}

const named = ({ scope, id }: SkillKey): { skill: string; scope: SkillKey['scope'] } => ({ skill: id, scope });

/** Without the frontmatter, whose values the list shows, and without a first heading that repeats the name above the preview. */
function bodyOf(text: string, name: string): string {
  const body = text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, '').trimStart();
  const [first = '', ...rest] = body.split('\n');
  return first.trim() === `# ${name}` ? rest.join('\n').trimStart() : body;
}
