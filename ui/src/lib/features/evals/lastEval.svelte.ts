import { asFailure, type ChangeFeed, type Client, Deadline, Latest, type SkillKey } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import type { EvalSummary } from './types';

const MAX_RUNS = 20;
const LIVE_MS = 1_000;

/** The last eval run of a skill that graded anything. */
export class LastEval {
  /** Null if there is none. */
  value = $state.raw<EvalSummary | null>(null);
  loaded = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #feed: ChangeFeed;
  readonly #skill: SkillKey;
  readonly #reading = new Latest(() => this.#read());
  readonly #live = new Deadline(LIVE_MS, () => this.refresh());

  constructor(client: Client, feed: ChangeFeed, skill: SkillKey) {
    this.#client = client;
    this.#feed = feed;
    this.#skill = skill;
  }

  /** Keeps it current until the returned function is called. */
  open(): () => void {
    this.refresh();
    const stop = this.#feed.on('eval', () => this.#live.touch());
    return () => {
      stop();
      this.#live.cancel();
    };
  }

  refresh(): void {
    this.#reading.ask();
  }

  async #read(): Promise<void> {
    const { id, scope } = this.#skill;
    try {
      const { runs } = await this.#client.call('eval/list', { skill: id, limit: MAX_RUNS });
      this.value = runs.find(({ run, variants }) => run.skill_id === id && run.skill_scope === scope && variants.some(({ rate }) => rate !== null)) ?? null;
      this.failure = null;
      this.loaded = true;
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }
}
