import { asFailure, type Client, Deadline, type ChangeFeed, Latest, type SkillKey, skillKey } from '$lib/api';
import type { ChangeEvent, Check, Failure, Severity, SkillListCursor } from '$lib/api/generated';

/** With more changed skills than this at once, all skills are checked again. */
const FEW = 200;
/** Skills of a page, which take about half a second when nothing is cached. */
const PAGE = 200;
const SCOPES = ['workspace', 'account'] as const;
/** Diagnostics that are listed; beyond that they are only counted. */
const MAX_DIAGNOSTICS = 20_000;

/**
 * The diagnostics of all stored skills, read page by page and updated by the change feed. What is shown stays until newer
 * diagnostics are loaded.
 */
export class Checks {
  /** The number of checked skills and of all; null before the first request. */
  progress = $state.raw<{ done: number; total: number } | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The lowest severity that is listed. */
  minSeverity = $state<Severity>('warning');
  readonly #found = new Map<string, Check.SkillFindings>();
  /** Counts changes of the diagnostics. */
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

  /** By `skillKey`, without skills that have no diagnostics. */
  get found(): ReadonlyMap<string, Check.SkillFindings> {
    void this.#edition;
    return this.#found;
  }

  get done(): boolean {
    return this.progress !== null && this.progress.done >= this.progress.total;
  }

  /** Whether there are more diagnostics than are listed. */
  get capped(): boolean {
    let kept = 0;
    for (const one of this.found.values()) kept += one.diagnostics.length;
    return kept >= MAX_DIAGNOSTICS;
  }

  /** Checks all skills, unless that was started before. */
  start(): void {
    if (!this.#started) this.again();
  }

  /** Checks all skills again, as after a failure. */
  again(): void {
    this.#started = true;
    this.#pages.ask();
  }

  /** Drops everything, since another workspace was opened. */
  reset(): void {
    this.#round += 1;
    this.#found.clear();
    this.#edition += 1;
    this.progress = null;
    this.#touched.clear();
    if (this.#started) this.again();
  }

  show(minSeverity: Severity): void {
    if (minSeverity === this.minSeverity) return;
    this.minSeverity = minSeverity;
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
    const minSeverity = this.minSeverity;
    const seen = new Set<string>();
    let [done, kept] = [0, 0];
    let from: SkillListCursor | null = null;
    this.failure = null;
    try {
      do {
        const page: Check.CheckedSkills = await this.#client.call('check/all', { from, limit: PAGE, least: minSeverity });
        if (round !== this.#round) return;
        for (const one of page.skills) {
          kept += one.diagnostics.length;
          seen.add(skillKey(one));
          this.#put(kept <= MAX_DIAGNOSTICS ? one : { ...one, diagnostics: [] });
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
        const { skills } = await this.#client.call('check/all', { only: { scope, ids }, least: this.minSeverity });
        if (round !== this.#round && !this.done) return;
        const there = new Set(skills.map((one) => one.id));
        for (const id of ids) if (!there.has(id)) this.#drop(skillKey({ scope, id }));
        for (const one of skills) this.#put(one);
      }
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  /** Equal diagnostics stay the same object, so that they aren’t drawn again. */
  #put(one: Check.SkillFindings): void {
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
