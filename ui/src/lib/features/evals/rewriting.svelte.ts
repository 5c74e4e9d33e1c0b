import { SvelteMap } from 'svelte/reactivity';
import { type ChangeFeed, type Client, LongCall, type Models, type Settings, type SkillKey, skillKey } from '$lib/api';
import type { CaseList } from './caseList.svelte';
import { RewriteOutcome } from './rewriteOutcome.svelte';
import { RewriteSetup } from './rewriteSetup.svelte';
import type { RewriteParams } from './types';

interface Source {
  /** The shown skill. */
  skill: () => (SkillKey & { name: string }) | null;
  list: CaseList;
  /** Saves unsaved texts of the skill; false if that failed. */
  save: (skill: SkillKey) => Promise<boolean>;
  began: () => void;
}

interface Request {
  skill: SkillKey & { name: string };
  params: RewriteParams;
}

/** Rewrites of instructions: the one in progress, at most one in a window, and the last result of each skill. */
export class Rewriting {
  readonly setup: RewriteSetup;
  readonly call: LongCall<'rewriting'>;
  /** What is in progress, or was asked last. */
  request = $state.raw<Request | null>(null);
  /** "3 of 16 results"; empty before the first one. The cases are run again for each attempt. */
  readonly progress = $derived.by(() => {
    const { done, total } = this.call.progress ?? { done: 0, total: null };
    return total === null ? '' : `${done} of ${total} results`;
  });
  /** The last result of the shown skill. */
  readonly outcome = $derived.by(() => {
    const skill = this.#source.skill();
    return skill && (this.#outcomes.get(skillKey(skill)) ?? null);
  });
  readonly #outcomes = new SvelteMap<string, RewriteOutcome>();
  readonly #client: Client;
  readonly #source: Source;

  constructor(client: Client, feed: ChangeFeed, models: Models, settings: Settings, source: Source) {
    this.#client = client;
    this.#source = source;
    this.call = new LongCall(client);
    this.setup = new RewriteSetup(client, models, settings, source);
    feed.on('proposal', ({ ids }) => {
      for (const outcome of this.#outcomes.values()) {
        // Without ids any proposal may have changed.
        if (ids.length === 0 || ids.includes(outcome.value.proposal ?? '')) void outcome.readProposal();
      }
    });
  }

  /** Starts what is set up in the dialog. Resolves when it has ended. */
  async start(): Promise<void> {
    const [skill, { params }] = [this.#source.skill(), this.setup];
    if (skill === null || params === null || this.call.busy) return;
    if (!(await this.#source.save(skill))) return;
    this.setup.close();
    this.#source.began();
    this.request = { skill: { scope: skill.scope, id: skill.id, name: skill.name }, params };
    await this.retry();
  }

  /** Makes the last request again. */
  async retry(): Promise<void> {
    const { request, call } = this;
    if (request === null || call.busy) return;
    const value = await call.run('rewriting', 'eval/rewrite', request.params);
    if (value === null) return;
    const outcome = new RewriteOutcome(this.#client, request.skill, value, call.isCanceling);
    this.#outcomes.set(skillKey(request.skill), outcome);
    await Promise.all([outcome.readProposal(), outcome.readRates()]);
  }

  dismiss(): void {
    if (!this.call.busy) this.call.failure = null;
  }
}
