import { asFailure, type ChangeFeed, type Client, Deadline, Latest, type SkillKey } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import { Report } from './report.svelte';
import { ReportExport } from './reportExport.svelte';
import { RunDeletion } from './runDeletion.svelte';
import type { EvalReport, EvalSummary } from './types';

const MAX_RUNS = 50;
/** Each result is a change: what it concerns is read at most this often. */
const LIVE_MS = 1_000;

/** The eval runs of a skill, and the one that is shown. */
export class EvalRuns {
  /** Newest first. Null until they are read. */
  list = $state.raw<readonly EvalSummary[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly report: Report;
  readonly exporter: ReportExport;
  readonly deletion: RunDeletion;
  readonly index = $derived.by(() => this.list?.findIndex(({ run }) => run.id === this.report.id) ?? -1);
  #skill: SkillKey | null = null;
  /** The run to select once it is listed. */
  #awaited: string | null = null;
  /** Listed runs that changed. */
  readonly #changed = new Set<string>();
  /** Runs that an event named and that aren’t of this skill. */
  readonly #unrelated = new Set<string>();
  /** Runs that an event named while the list didn’t have them. */
  readonly #unknown = new Set<string>();
  readonly #client: Client;
  readonly #reading = new Latest(() => this.#read());
  readonly #updating = new Latest(() => this.#update());
  readonly #readSoon = new Deadline(LIVE_MS, () => this.refresh());
  readonly #updateSoon = new Deadline(LIVE_MS, () => this.#updating.ask());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.report = new Report(client);
    this.exporter = new ReportExport(client);
    this.deletion = new RunDeletion(client, (run) => this.#remove(run));
    feed.on('eval', ({ ids }) => this.#touch(ids));
  }

  show(skill: SkillKey | null): void {
    if (this.#skill?.id === skill?.id && this.#skill?.scope === skill?.scope) return;
    this.#skill = skill;
    [this.list, this.failure] = [null, null];
    for (const runs of [this.#changed, this.#unrelated, this.#unknown]) runs.clear();
    this.report.show(null);
    this.refresh();
  }

  refresh(): void {
    if (this.#skill !== null) this.#reading.ask();
  }

  select(run: string): void {
    this.#awaited = null;
    this.report.show(run);
  }

  /** Selects a run that is being started once it exists. */
  expect(run: string): void {
    this.#awaited = run;
  }

  /** Shows the report of a call that has ended. */
  ended(report: EvalReport): void {
    if (this.list?.some(({ run }) => run.id === report.run.id)) this.#put(report);
    else this.refresh();
  }

  step(by: number): void {
    const list = this.list ?? [];
    const at = this.index < 0 ? (by > 0 ? 0 : list.length - 1) : Math.max(0, Math.min(list.length - 1, this.index + by));
    const next = list[at];
    if (next) this.select(next.run.id);
  }

  /** Reading the list reads the results of all its runs, so a listed run is read alone. */
  #touch(ids: readonly string[]): void {
    if (this.#skill === null) return;
    const listed = new Set(this.list?.map(({ run }) => run.id));
    // Without ids, or with an empty one, any run may have changed.
    const isAny = ids.length === 0 || ids.includes('');
    const unknown = ids.filter((id) => id !== '' && !listed.has(id) && !this.#unrelated.has(id));
    for (const id of unknown) this.#unknown.add(id);
    if (isAny || unknown.length > 0) this.#readSoon.touch();
    const changed = isAny ? [this.report.id] : ids.filter((id) => listed.has(id));
    for (const id of changed) if (id !== null) this.#changed.add(id);
    if (this.#changed.size > 0) this.#updateSoon.touch();
  }

  #put(report: EvalReport): void {
    const { run, variants, cells, done } = report;
    this.list = this.list?.map((one) => (one.run.id === run.id ? { run, variants, cells, done } : one)) ?? null;
    this.report.put(report);
  }

  #remove(run: string): void {
    const at = this.list?.findIndex((one) => one.run.id === run) ?? -1;
    if (at < 0) return;
    const isShown = this.report.id === run;
    this.list = this.list?.filter((one) => one.run.id !== run) ?? null;
    if (isShown) this.report.show((this.list?.[at] ?? this.list?.at(-1))?.run.id ?? null);
  }

  async #update(): Promise<void> {
    const skill = this.#skill;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const run of changed) {
      try {
        const report = await this.#client.call('eval/get', { run });
        if (skill !== this.#skill) return;
        this.#put(report);
      } catch (cause) {
        if (skill !== this.#skill) return;
        if (asFailure(cause).code === 'notFound') this.#remove(run);
        else this.#readSoon.touch();
      }
    }
  }

  async #read(): Promise<void> {
    const skill = this.#skill;
    if (skill === null) return;
    const unknown = [...this.#unknown];
    try {
      const { runs } = await this.#client.call('eval/list', { skill: skill.id, limit: MAX_RUNS });
      if (skill !== this.#skill) return;
      // A skill of the other scope may have the same id or name.
      this.list = runs.filter(({ run }) => run.skill_id === skill.id && run.skill_scope === skill.scope);
      this.failure = null;
      for (const id of unknown) {
        this.#unknown.delete(id);
        if (id !== this.#awaited && !this.list.some(({ run }) => run.id === id)) this.#unrelated.add(id);
      }
      const next = this.list.find(({ run }) => run.id === this.#awaited) ?? (this.report.id === null ? this.list[0] : undefined);
      if (next) this.select(next.run.id);
    } catch (cause) {
      if (skill === this.#skill) this.failure = asFailure(cause);
    }
  }
}
