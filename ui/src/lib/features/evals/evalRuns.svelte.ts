import { asFailure, type ChangeFeed, type Client, Deadline, Latest, type SkillKey } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import { Report } from './report.svelte';
import type { EvalReport, EvalSummary } from './types';

const MAX_RUNS = 50;
/** Each result is a change: the list is read at most this often. */
const LIVE_MS = 1_000;

/** The eval runs of a skill, and the one that is shown. */
export class EvalRuns {
  /** Newest first. Null until they are read. */
  list = $state.raw<readonly EvalSummary[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly report: Report;
  readonly index = $derived.by(() => this.list?.findIndex(({ run }) => run.id === this.report.id) ?? -1);
  #skill: SkillKey | null = null;
  /** The run to select once it is listed. */
  #awaited: string | null = null;
  readonly #client: Client;
  readonly #reading = new Latest(() => this.#read());
  readonly #live = new Deadline(LIVE_MS, () => this.refresh());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.report = new Report(client);
    feed.on('eval', ({ ids }) => {
      this.#live.touch();
      // Without ids, or with an empty one, any run may have changed.
      if (ids.length === 0 || ids.includes('') || (this.report.id !== null && ids.includes(this.report.id))) this.report.touch();
    });
  }

  show(skill: SkillKey | null): void {
    if (this.#skill?.id === skill?.id && this.#skill?.scope === skill?.scope) return;
    this.#skill = skill;
    [this.list, this.failure] = [null, null];
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
    this.report.put(report);
    this.refresh();
  }

  step(by: number): void {
    const list = this.list ?? [];
    const at = this.index < 0 ? (by > 0 ? 0 : list.length - 1) : Math.max(0, Math.min(list.length - 1, this.index + by));
    const next = list[at];
    if (next) this.select(next.run.id);
  }

  async #read(): Promise<void> {
    const skill = this.#skill;
    if (skill === null) return;
    try {
      const { runs } = await this.#client.call('eval/list', { skill: skill.id, limit: MAX_RUNS });
      if (skill !== this.#skill) return;
      // A skill of the other scope may have the same id or name.
      this.list = runs.filter(({ run }) => run.skill_id === skill.id && run.skill_scope === skill.scope);
      this.failure = null;
      const next = this.list.find(({ run }) => run.id === this.#awaited) ?? (this.report.id === null ? this.list[0] : undefined);
      if (next) this.select(next.run.id);
    } catch (cause) {
      if (skill === this.#skill) this.failure = asFailure(cause);
    }
  }
}
