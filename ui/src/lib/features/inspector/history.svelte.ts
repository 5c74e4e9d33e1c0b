import { asFailure, type Client, Deadline, type ChangeFeed, Latest, type SkillKey } from '$lib/api';
import type { Failure, Revision, RunSummary } from '$lib/api/generated';

const PAGE = 50;

/** A run as it stands among the revisions: of a skill the whole of it, of a file what executed that file. */
export type PastRun = Pick<
  RunSummary,
  'run_id' | 'skill_id' | 'skill_scope' | 'skill_revision' | 'status' | 'started_at' | 'duration_ms' | 'model_id' | 'artifact_name' | 'input_tokens' | 'output_tokens' | 'estimated_cost'
> & { error: string | null };

export type Moment =
  | { kind: 'revision'; id: string; at: string; revision: Revision }
  | { kind: 'run'; id: string; at: string; run: PastRun };

/** Whose past it is: a skill's, or of one of its files. */
export interface Subject {
  key: SkillKey;
  slug: string;
  path: string | null;
}

/** One of the two lists that the past is made of, read part by part. */
interface Source<Next> {
  list: Moment[];
  next: Next | null;
  /** The time up to which it is known. */
  end: string;
}

/** Later than any time. */
const NEVER = '\uffff';
const NONE = { list: [], next: null, end: NEVER };

/** What happened to a skill or a file, newest first: revisions, and the runs between them. Older parts are read as one gets there. */
export class SkillHistory {
  subject = $state.raw<Subject | null>(null);
  /** Whether runs are shown as well. */
  withRuns = $state(true);
  failure = $state.raw<Failure | null>(null);
  loaded = $state(false);
  reading = $state(false);
  cursor = $state<string | null>(null);
  /** Revisions that are to be compared, in the order of marking: at most two. */
  marked = $state.raw<readonly number[]>([]);
  #revisions = $state.raw<Source<number>>(NONE);
  #runs = $state.raw<Source<number>>(NONE);
  /** Both by time. What is older than the end of a list that goes on waits, so that nothing comes in between later. */
  readonly list = $derived.by<readonly Moment[]>(() => {
    const runs = this.withRuns ? this.#runs : NONE;
    const ends = [this.#revisions, runs].flatMap(({ next, end }) => (next === null ? [] : end));
    const from = ends.reduce((latest, at) => (at > latest ? at : latest), '');
    return [...this.#revisions.list, ...runs.list].filter(({ at }) => at >= from).sort(byTime);
  });
  readonly index = $derived(this.list.findIndex((moment) => moment.id === this.cursor));
  readonly selected = $derived(this.list[this.index] ?? null);
  readonly more = $derived(this.#revisions.next !== null || (this.withRuns && this.#runs.next !== null));
  readonly #client: Client;
  readonly #latest: Latest;
  readonly #soon = new Deadline(300, () => this.#latest.ask());
  #wanted = 0;
  #shown = false;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#latest = new Latest(() => this.#readNewest());
    feed.on('run', () => {
      if (this.#shown) this.#soon.touch();
    });
  }

  /** Shows another past, or the same one after a change. */
  follow(subject: Subject | null): void {
    this.#shown = true;
    const { key, path } = this.subject ?? {};
    const same = subject !== null && key?.id === subject.key.id && key.scope === subject.key.scope && path === subject.path;
    if (!same) {
      this.#wanted += 1;
      [this.#revisions, this.#runs, this.loaded, this.failure, this.cursor] = [NONE, NONE, false, null, null];
      // Marks are of revisions of a skill, whichever file is looked at.
      if (key?.id !== subject?.key.id || key?.scope !== subject?.key.scope) this.marked = [];
    }
    this.subject = subject;
    if (subject) this.#latest.ask();
  }

  /** Nobody looks: what changes waits until someone does. */
  hide(): void {
    this.#shown = false;
  }

  retry(): void {
    this.failure = null;
    this.#latest.ask();
  }

  showRuns(shown: boolean): void {
    this.withRuns = shown;
    if (shown) this.#latest.ask();
  }

  select(moment: Moment): void {
    this.cursor = moment.id;
  }

  step(to: number): void {
    this.cursor = this.list[to]?.id ?? this.cursor;
    if (to >= this.list.length - 10) void this.older();
  }

  /** Marks a revision for a comparison, or takes the mark away; with a third one the first is let go. */
  mark(number: number): void {
    this.marked = this.marked.includes(number) ? this.marked.filter((one) => one !== number) : [...this.marked, number].slice(-2);
  }

  clearMarks(): void {
    this.marked = [];
  }

  /** The next part of whichever list ends first. */
  async older(): Promise<void> {
    const { subject } = this;
    if (!subject || this.reading || !this.more || !this.loaded) return;
    const wanted = this.#wanted;
    this.reading = true;
    try {
      const before = this.list.length;
      // A part can be empty where only a file's revisions are wanted.
      do {
        const [revisions, runs] = [this.#revisions, this.#runs];
        const revisionsFirst = revisions.next !== null && (!this.withRuns || runs.next === null || revisions.end >= runs.end);
        if (revisionsFirst) {
          const part = await this.#readRevisions(subject, revisions.next);
          if (wanted !== this.#wanted) return;
          this.#revisions = joined(this.#revisions, part, revisions.next);
        } else {
          const part = await this.#readRuns(subject, runs.next);
          if (wanted !== this.#wanted) return;
          this.#runs = joined(this.#runs, part, runs.next);
        }
      } while (this.#goesOn() && this.list.length === before);
      this.failure = null;
    } catch (cause) {
      if (wanted === this.#wanted) this.failure = asFailure(cause);
    } finally {
      this.reading = false;
    }
  }

  #goesOn(): boolean {
    return this.more;
  }

  /** The newest part of both; older ones that are there stay, since the past doesn't change. */
  async #readNewest(): Promise<void> {
    const { subject } = this;
    if (!subject) return;
    const wanted = this.#wanted;
    try {
      const [revisions, runs] = await Promise.all([this.#readRevisions(subject, null), this.withRuns ? this.#readRuns(subject, null) : NONE]);
      if (wanted !== this.#wanted) return;
      this.#revisions = renewed(this.#revisions, revisions);
      if (this.withRuns) this.#runs = renewed(this.#runs, runs);
      this.loaded = true;
      this.failure = null;
      this.cursor ??= this.list[0]?.id ?? null;
      if (this.list.length === 0) void this.older();
    } catch (cause) {
      if (wanted === this.#wanted) this.failure = asFailure(cause);
    }
  }

  async #readRevisions({ key, path }: Subject, before: number | null): Promise<Source<number>> {
    const { revisions, next } = await this.#client.call('skill/history', { skill: key.id, scope: key.scope, path, before, limit: PAGE });
    const list = revisions.map((revision): Moment => ({ kind: 'revision', id: `r${revision.number}`, at: revision.created_at, revision }));
    return { list, next, end: list.at(-1)?.at ?? NEVER };
  }

  async #readRuns({ key, slug, path }: Subject, before: number | null): Promise<Source<number>> {
    // A skill of the same name in the other scope has runs of its own.
    const own = (run: PastRun): boolean => run.skill_id === key.id && run.skill_scope === key.scope;
    const source = (list: readonly PastRun[], next: number | null): Source<number> => ({
      list: list.filter(own).map((run): Moment => ({ kind: 'run', id: run.run_id, at: run.started_at, run })),
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

function byTime(one: Moment, other: Moment): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  // A run is of a revision that was there when it began.
  return one.kind === other.kind ? 0 : one.kind === 'run' ? -1 : 1;
}

/** An older part behind what is there, unless that was read anew meanwhile and ends elsewhere. */
function joined<Next>(known: Source<Next>, part: Source<Next>, before: Next | null): Source<Next> {
  if (known.next !== before) return known;
  return { list: [...known.list, ...part.list], next: part.next, end: part.list.length > 0 || part.end !== NEVER ? part.end : known.end };
}

/** The newest part before what is there, as far as both meet; else only that part. */
function renewed<Next>(known: Source<Next>, part: Source<Next>): Source<Next> {
  const last = part.list.at(-1);
  const at = last ? known.list.findIndex((moment) => moment.id === last.id) : -1;
  if (part.next === null || at < 0) return part;
  return { ...known, list: [...part.list, ...known.list.slice(at + 1)] };
}
