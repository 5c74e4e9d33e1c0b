import { asFailure, type ChangeFeed, type Client, Debounce, Latest, type SkillKey } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import { isGradedSkill, isOfCandidate } from './labels';
import type { EvalSummary } from './types';

/** Reading runs reads all their results: the newest ones nearly always suffice. */
const FEW_RUNS = 3;
const MAX_RUNS = 50;
/** Each result of a run is a change. */
const QUIET_MS = 1_000;

/** The last complete eval run of a skill that graded anything. Candidates of a rewrite aren’t the skill. */
export class LastEval {
  /** Null if there is none. */
  value = $state.raw<EvalSummary | null>(null);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #feed: ChangeFeed;
  readonly #skill: SkillKey;
  readonly #reading = new Latest(() => this.#read());
  readonly #changed = new Debounce(QUIET_MS, () => this.refresh());

  constructor(client: Client, feed: ChangeFeed, skill: SkillKey) {
    this.#client = client;
    this.#feed = feed;
    this.#skill = skill;
  }

  /** Keeps it current until the returned function is called. */
  open(): () => void {
    this.refresh();
    const stop = this.#feed.on('eval', () => this.#changed.touch());
    return () => {
      stop();
      this.#changed.cancel();
    };
  }

  refresh(): void {
    this.#reading.ask();
  }

  async #read(): Promise<void> {
    try {
      this.value = await this.#find();
      this.failure = null;
      this.loaded = true;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  async #find(): Promise<EvalSummary | null> {
    const { id, scope } = this.#skill;
    for (const limit of [FEW_RUNS, MAX_RUNS]) {
      const { runs } = await this.#client.call('eval/list', { skill: id, limit });
      const own = runs.filter(({ run }) => run.skill_id === id && run.skill_scope === scope);
      const last = own.find((one) => one.run.status === 'complete' && !isOfCandidate(one) && one.variants.some(isGradedSkill));
      if (last || runs.length < limit) return last ?? null;
    }
    return null;
  }
}
