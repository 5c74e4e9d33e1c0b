import { asFailure, type ChangeFeed, type Client, Debounce, Latest, type SkillKey, skillKey } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import type { OptimizationLoop } from './types';

/** Each result of a run is a change. */
const QUIET_MS = 500;

/** The stages of improving a skill. */
export class OptimizationStages {
  /** Null until they are read. */
  value = $state.raw<OptimizationLoop | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Whether all stages are shown, or only the next step. */
  isExpanded = $state(false);
  #skill: SkillKey | null = null;
  readonly #client: Client;
  readonly #reading = new Latest(() => this.#read());
  readonly #changed = new Debounce(QUIET_MS, () => this.refresh());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    for (const kind of ['eval', 'proposal'] as const) feed.on(kind, () => this.#touch());
    feed.on('skill', ({ scope, ids }) => {
      const skill = this.#skill;
      // Without ids anything may have changed.
      if (skill !== null && (ids.length === 0 || (scope === skill.scope && ids.includes(skill.id)))) this.#touch();
    });
  }

  show(skill: SkillKey | null): void {
    if ((skill && skillKey(skill)) === (this.#skill && skillKey(this.#skill))) return;
    this.#skill = skill;
    [this.value, this.failure] = [null, null];
    this.#changed.cancel();
    this.refresh();
  }

  refresh(): void {
    if (this.#skill !== null) this.#reading.ask();
  }

  #touch(): void {
    if (this.#skill !== null) this.#changed.touch();
  }

  async #read(): Promise<void> {
    const skill = this.#skill;
    if (skill === null) return;
    try {
      const value = await this.#client.call('eval/loop', { skill: skill.id, scope: skill.scope });
      if (skill === this.#skill) [this.value, this.failure] = [value, null];
    } catch (cause) {
      if (skill === this.#skill) this.failure = asFailure(cause);
    }
  }
}
