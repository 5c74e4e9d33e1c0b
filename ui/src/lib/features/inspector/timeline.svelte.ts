import { asFailure, type Client, Latest, type SkillKey } from '$lib/api';
import type { Failure, Run, Skill } from '$lib/api/generated';

const PAGE = 50;

/** A run in the history: the whole run for a skill, the step of the file for a file. */
export type PastRun = Pick<
  Run.RunSummary,
  'run_id' | 'skill_id' | 'skill_scope' | 'skill_revision' | 'status' | 'started_at' | 'duration_ms' | 'model_id' | 'artifact_name' | 'input_tokens' | 'output_tokens' | 'estimated_cost'
> & { error: string | null };

export type TimelineItem =
  | { kind: 'revision'; id: string; at: string; revision: Skill.RevisionInfo }
  | { kind: 'run'; id: string; at: string; run: PastRun };

/** The skill, or one of its files. */
export interface Subject {
  key: SkillKey;
  slug: string;
  path: string | null;
}

/** The loaded part of a paged list, newest first. */
interface LoadedPage {
  list: TimelineItem[];
  /** Where the next page begins; null at the end. */
  next: number | null;
  /** The time of the oldest loaded entry. */
  end: string;
}

/** Later than any time. */
const NEVER = '\uffff';
const EMPTY = { list: [], next: null, end: NEVER };

/** Revisions and runs of a skill or file, newest first. Older pages are loaded when they are scrolled to. */
export class Timeline {
  /** Whether runs are shown as well. */
  withRuns = $state(true);
  failure = $state.raw<Failure | null>(null);
  loaded = $state(false);
  #revisions = $state.raw<LoadedPage>(EMPTY);
  #runs = $state.raw<LoadedPage>(EMPTY);
  /** Both lists merged by time. Entries older than the end of an incomplete list wait, so that no entry is inserted above them later. */
  readonly items = $derived.by<readonly TimelineItem[]>(() => {
    const runs = this.withRuns ? this.#runs : EMPTY;
    const ends = [this.#revisions, runs].flatMap(({ next, end }) => (next === null ? [] : end));
    const from = ends.reduce((latest, at) => (at > latest ? at : latest), '');
    return [...this.#revisions.list, ...runs.list].filter(({ at }) => at >= from).sort(byTime);
  });
  readonly more = $derived(this.#revisions.next !== null || (this.withRuns && this.#runs.next !== null));
  #subject: Subject | null = null;
  #loadingOlder = false;
  /** Incremented when another subject is shown: replies for the one before are dropped. */
  #generation = 0;
  readonly #client: Client;
  readonly #onload: () => void;
  readonly #latest = new Latest(() => this.#readNewest());

  /** `onload` is called when the newest page is loaded. */
  constructor(client: Client, onload: () => void) {
    this.#client = client;
    this.#onload = onload;
  }

  /** Loads the newest entries of a subject. Unless it is the same one as before, `reset` comes first. */
  load(subject: Subject | null): void {
    this.#subject = subject;
    this.refresh();
  }

  reset(): void {
    this.#generation += 1;
    [this.#revisions, this.#runs, this.loaded, this.failure] = [EMPTY, EMPTY, false, null];
  }

  refresh(): void {
    if (this.#subject) this.#latest.ask();
  }

  retry(): void {
    this.failure = null;
    this.refresh();
  }

  showRuns(shown: boolean): void {
    this.withRuns = shown;
    if (shown) this.refresh();
  }

  /** Loads the next page of the list that ends first. */
  async loadOlder(): Promise<void> {
    const subject = this.#subject;
    if (!subject || this.#loadingOlder || !this.more || !this.loaded) return;
    const generation = this.#generation;
    this.#loadingOlder = true;
    try {
      const before = this.items.length;
      // A page of a file's revisions can be empty.
      do {
        const [revisions, runs] = [this.#revisions, this.#runs];
        const revisionsFirst = revisions.next !== null && (!this.withRuns || runs.next === null || revisions.end >= runs.end);
        if (revisionsFirst) {
          const page = await this.#readRevisions(subject, revisions.next);
          if (generation !== this.#generation) return;
          this.#revisions = joined(this.#revisions, page, revisions.next);
        } else {
          const page = await this.#readRuns(subject, runs.next);
          if (generation !== this.#generation) return;
          this.#runs = joined(this.#runs, page, runs.next);
        }
      } while (this.#hasMore() && this.items.length === before);
      this.failure = null;
    } catch (cause) {
      if (generation === this.#generation) this.failure = asFailure(cause);
    } finally {
      this.#loadingOlder = false;
    }
  }

  /** A call, since TypeScript takes `this.more` for unchanged since it was checked. */
  #hasMore(): boolean {
    return this.more;
  }

  /** Reads the newest page of both lists. Older ones stay, since the past doesn’t change. */
  async #readNewest(): Promise<void> {
    const subject = this.#subject;
    if (!subject) return;
    const generation = this.#generation;
    try {
      const [revisions, runs] = await Promise.all([this.#readRevisions(subject, null), this.withRuns ? this.#readRuns(subject, null) : EMPTY]);
      if (generation !== this.#generation) return;
      this.#revisions = renewed(this.#revisions, revisions);
      if (this.withRuns) this.#runs = renewed(this.#runs, runs);
      this.loaded = true;
      this.failure = null;
      this.#onload();
      if (this.items.length === 0) void this.loadOlder();
    } catch (cause) {
      if (generation === this.#generation) this.failure = asFailure(cause);
    }
  }

  async #readRevisions({ key, path }: Subject, before: number | null): Promise<LoadedPage> {
    const { revisions, next } = await this.#client.call('skill/history', { skill: key.id, scope: key.scope, path, before, limit: PAGE });
    const list = revisions.map((revision): TimelineItem => ({ kind: 'revision', id: `r${revision.number}`, at: revision.created_at, revision }));
    return { list, next, end: list.at(-1)?.at ?? NEVER };
  }

  async #readRuns({ key, slug, path }: Subject, before: number | null): Promise<LoadedPage> {
    // A skill of the same name in the other scope has runs of its own.
    const own = (run: PastRun): boolean => run.skill_id === key.id && run.skill_scope === key.scope;
    const source = (list: readonly PastRun[], next: number | null): LoadedPage => ({
      list: list.filter(own).map((run): TimelineItem => ({ kind: 'run', id: run.run_id, at: run.started_at, run })),
      next,
      end: list.at(-1)?.started_at ?? NEVER,
    });
    if (path === null) {
      const { runs, next } = await this.#client.call('run/list', { filter: { skill: slug }, before, limit: PAGE });
      return source(runs, next);
    }
    const { traces, next } = await this.#client.call('trace/list', { filter: { skill: slug, artifact: path }, before, limit: PAGE });
    return source(traces, next);
  }
}

function byTime(one: TimelineItem, other: TimelineItem): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  // A run belongs to a revision that existed when it began.
  return one.kind === other.kind ? 0 : one.kind === 'run' ? -1 : 1;
}

/** Appends an older page, unless the list was reloaded meanwhile and ends elsewhere. */
function joined(loaded: LoadedPage, page: LoadedPage, before: number | null): LoadedPage {
  if (loaded.next !== before) return loaded;
  return { list: [...loaded.list, ...page.list], next: page.next, end: page.list.length > 0 || page.end !== NEVER ? page.end : loaded.end };
}

/** Prepends the newest page if it overlaps the list, else replaces the list. */
function renewed(loaded: LoadedPage, page: LoadedPage): LoadedPage {
  const last = page.list.at(-1);
  const at = last ? loaded.list.findIndex((item) => item.id === last.id) : -1;
  if (page.next === null || at < 0) return page;
  return { ...loaded, list: [...page.list, ...loaded.list.slice(at + 1)] };
}
