import type { Action } from '$lib/api/generated';
import { matchText } from '$lib/domain';
import type { ActionList } from './actionList.svelte';

/** Chooses an action to run. */
export class ActionPick {
  query = $state('');
  /** Enabled actions, the best match first. */
  readonly choices = $derived.by(() => this.#find());
  readonly #actions: ActionList;

  constructor(actions: ActionList) {
    this.#actions = actions;
  }

  start(): void {
    this.query = '';
    void this.#actions.load();
  }

  #find(): Action.ActionEntry[] {
    const query = this.query.trim();
    const found = (this.#actions.list ?? []).flatMap((action) => {
      const match = action.enabled ? (matchText(query, action.slug) ?? matchText(query, action.skill ?? '')) : null;
      return match ? [{ action, score: match.score }] : [];
    });
    if (query !== '') found.sort((a, b) => b.score - a.score);
    return found.map(({ action }) => action);
  }
}
