import { asFailure } from '$lib/api';
import type { Action, Failure, ModelRef } from '$lib/api/generated';
import type { ActionList } from './actionList.svelte';
import type { RunSource } from './runSource';

/** The dialog that saves a run as an action. */
export class ActionSaving {
  /** Null while the dialog is closed. */
  source = $state.raw<RunSource | null>(null);
  name = $state('');
  /** Null for the default model. */
  model = $state.raw<ModelRef | null>(null);
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Whether saving replaces an action of this name. */
  readonly replaces = $derived.by(() => this.#find(this.name.trim()) !== undefined);
  readonly #actions: ActionList;
  readonly #saved: (action: Action.ActionEntry) => void;

  constructor(actions: ActionList, saved: (action: Action.ActionEntry) => void) {
    this.#actions = actions;
    this.#saved = saved;
  }

  /** Suggests the first free name. */
  async start(source: RunSource): Promise<void> {
    await this.#actions.load();
    let name = source.skill;
    for (let number = 2; this.#find(name); number += 1) name = `${source.skill}-${number}`;
    [this.name, this.model, this.failure, this.source] = [name, source.model, null, source];
  }

  close(): void {
    this.source = null;
  }

  async save(): Promise<void> {
    if (this.source === null || this.busy) return;
    const { skill, scope, artifact, params } = this.source;
    const slug = this.name.trim();
    const mode = this.#find(slug)?.mode ?? 'manual';
    this.busy = true;
    try {
      const saved = await this.#actions.save({ slug, skill, scope, artifact, params, model: this.model, mode });
      this.close();
      this.#saved(saved);
    } catch (cause) {
      this.failure = asFailure(cause);
    } finally {
      this.busy = false;
    }
  }

  #find(slug: string): Action.ActionEntry | undefined {
    return this.#actions.list?.find((one) => one.slug === slug);
  }
}
