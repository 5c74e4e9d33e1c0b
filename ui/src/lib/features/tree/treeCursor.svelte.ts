import type { SkillOverview } from '$lib/api';
import type { Row } from './rows';
import type { TreeModel } from './treeModel.svelte';

/** The row that has the focus within the tree. */
export class TreeCursor {
  /** May be of a row that isn't shown: its skill is still loading, or an ancestor is collapsed. */
  id = $state<string | null>(null);
  readonly #model: TreeModel;
  /** -1 while its row isn't shown. */
  readonly index = $derived.by(() => this.#model.rows.findIndex((row) => row.id === this.id));
  readonly row = $derived.by<Row | null>(() => this.#model.rows[this.index] ?? null);

  constructor(model: TreeModel) {
    this.#model = model;
  }

  /** The skill that the cursor is on or in. */
  get skill(): SkillOverview | null {
    return this.row && this.row.kind !== 'section' ? this.row.skill : null;
  }
}
