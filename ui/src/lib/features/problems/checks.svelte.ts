import { asFailure, type Client, Deadline, type ChangeFeed, Latest, type SkillKey, skillKey } from '$lib/api';
import type { SkillListCursor, ChangeEvent, CheckedSkills, Failure, Severity, SkillFindings } from '$lib/api/generated';

/** With more changes at once than this, all skills are looked at again. */
const FEW = 200;
/** Skills of a page: half a second's work where none was checked before. */
const PAGE = 200;
const SCOPES = ['workspace', 'account'] as const;
/** Findings that are kept for the list; more are counted, and nobody reads them. */
const KEPT = 20_000;

/**
 * What is wrong in all skills as they are stored. Read page by page, then kept up by the change feed: what is shown stays
 * until what is newer is there.
 */
export class Checks {
  /** How many of how many skills were looked at; null before the first question. */
  progress = $state.raw<{ done: number; total: number } | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** What is listed goes down to this. */
  least = $state<Severity>('warning');
  readonly #found = new Map<string, SkillFindings>();
  /** Goes up when something else was found. */
  #edition = $state(0);
  readonly #client: Client;
  readonly #pages: Latest;
  readonly #some: Latest;
  readonly #soon = new Deadline(200, () => this.#some.ask());
  #touched = new Map<string, SkillKey>();
  #round = 0;
  #started = false;

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.#pages = new Latest(() => this.#readAll());
    this.#some = new Latest(() => this.#readTouched());
    feed.on('skill', (event) => this.#changed(event));
  }

  /** By `skillKey`; skills without findings aren't in it. */
  get found(): ReadonlyMap<string, SkillFindings> {
    void this.#edition;
    return this.#found;
  }

  get done(): boolean {
    return this.progress !== null && this.progress.done >= this.progress.total;
  }

  /** Whether there is more than is kept. */
  get capped(): boolean {
    let kept = 0;
    for (const one of this.found.values()) kept += one.diagnostics.length;
    return kept >= KEPT;
  }

  /** Looks at all skills, if that wasn't begun yet. */
  start(): void {
    if (!this.#started) this.again();
  }

  /** Looks at all skills again, as after a failure. */
  again(): void {
    this.#started = true;
    this.#pages.ask();
  }

  /** Another workspace was opened: nothing holds any more. */
  reset(): void {
    this.#round += 1;
    this.#found.clear();
    this.#edition += 1;
    this.progress = null;
    this.#touched.clear();
    if (this.#started) this.again();
  }

  show(least: Severity): void {
    if (least === this.least) return;
    this.least = least;
    this.start();
    this.again();
  }

  #changed(event: ChangeEvent): void {
    if (!this.#started) return;
    for (const id of event.ids) this.#touched.set(skillKey({ scope: event.scope, id }), { scope: event.scope, id });
    // Without ids anything may have changed.
    if (event.ids.length === 0 || this.#touched.size > FEW) {
      this.#touched.clear();
      this.#pages.ask();
    } else this.#soon.touch();
  }

  async #readAll(): Promise<void> {
    const round = ++this.#round;
    const least = this.least;
    const seen = new Set<string>();
    let [done, kept] = [0, 0];
    let from: SkillListCursor | null = null;
    this.failure = null;
    try {
      do {
        const page: CheckedSkills = await this.#client.call('check/all', { from, limit: PAGE, least });
        if (round !== this.#round) return;
        for (const one of page.skills) {
          kept += one.diagnostics.length;
          seen.add(skillKey(one));
          this.#put(kept <= KEPT ? one : { ...one, diagnostics: [] });
        }
        done += page.checked;
        from = page.next;
        this.progress = { done: from === null ? page.total : done, total: page.total };
      } while (from !== null);
      for (const key of [...this.#found.keys()]) if (!seen.has(key)) this.#drop(key);
    } catch (cause) {
      if (round === this.#round) this.failure = asFailure(cause);
    }
  }

  async #readTouched(): Promise<void> {
    const keys = [...this.#touched.values()];
    this.#touched.clear();
    const round = this.#round;
    try {
      for (const scope of SCOPES) {
        const ids = keys.filter((key) => key.scope === scope).map((key) => key.id);
        if (ids.length === 0) continue;
        const { skills } = await this.#client.call('check/all', { only: { scope, ids }, least: this.least });
        if (round !== this.#round && !this.done) return;
        const there = new Set(skills.map((one) => one.id));
        for (const id of ids) if (!there.has(id)) this.#drop(skillKey({ scope, id }));
        for (const one of skills) this.#put(one);
      }
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  /** What is the same stays the same object, so that nothing is drawn anew. */
  #put(one: SkillFindings): void {
    const key = skillKey(one);
    const known = this.#found.get(key);
    if (known && JSON.stringify([known.counts, known.diagnostics]) === JSON.stringify([one.counts, one.diagnostics])) return;
    this.#found.set(key, one);
    this.#edition += 1;
  }

  #drop(key: string): void {
    if (this.#found.delete(key)) this.#edition += 1;
  }
}
