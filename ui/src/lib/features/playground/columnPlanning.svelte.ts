import { asFailure, type Client, Debounce, Latest, type Models } from '$lib/api';
import { formatTokens, formatUsd } from '$lib/domain';
import type { DocumentKey } from '$lib/features/editor';
import type { Params } from '$lib/api/generated';
import { lacksModel, wireSpec } from './column.svelte';
import type { ColumnList } from './columnList.svelte';

const PLAN_MS = 150;

/** The plans of all columns with the current inputs, and what they would cost. */
export class ColumnPlanning {
  readonly #columns: ColumnList;
  readonly #client: Client;
  readonly #models: Models;
  readonly #target: DocumentKey;
  readonly #params: () => Params;
  readonly lacksModel = $derived.by(() => this.#columns.list.some(lacksModel));
  readonly estimate = $derived.by(() => this.#estimate());
  readonly #latest = new Latest(() => this.#plan());
  readonly #soon = new Debounce(PLAN_MS, () => this.#latest.ask());

  constructor(client: Client, models: Models, target: DocumentKey, columns: ColumnList, params: () => Params) {
    this.#client = client;
    this.#models = models;
    this.#target = target;
    this.#columns = columns;
    this.#params = params;
  }

  /** Plans again after inputs, columns, models or the skill changed. */
  touch(): void {
    this.#soon.touch();
  }

  async #plan(): Promise<void> {
    const params = this.#params();
    await Promise.all(
      this.#columns.list.map(async (column) => {
        const { spec } = column;
        try {
          const plan = await this.#client.call('run/plan', { ...wireSpec(this.#target, spec), params });
          if (column.spec === spec) [column.plan, column.failure] = [plan, null];
        } catch (cause) {
          // While a template is being typed it may be broken: the last plan stays.
          if (column.spec === spec) column.failure = asFailure(cause);
        }
      }),
    );
  }

  /** Of the columns that would run; empty if it isn't known. */
  #estimate(): string {
    const plans = this.#columns.idle.flatMap((column) => column.plan ?? []);
    const tokens = plans.map((plan) => plan.input_tokens);
    if (plans.length === 0 || tokens.some((one) => one === null)) return '';
    const total = tokens.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    const costs = plans.map((plan) => plan.input_cost ?? (this.#models.isLocal(plan.model) ? 0 : null));
    const cost = costs.some((one) => one === null) ? null : costs.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    return cost === null || cost === 0 ? `${formatTokens(total)} tokens` : `from ${formatUsd(cost)}`;
  }
}
