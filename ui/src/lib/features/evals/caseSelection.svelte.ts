import { plural } from '$lib/domain';
import { isOfManifest, titleOf } from './caseColumns';
import type { CaseCursor } from './caseCursor.svelte';
import type { CaseList } from './caseList.svelte';
import type { EvalCase } from './types';

/** The selected cases, and what can be done to all of them. */
export class CaseSelection {
  #keys = $state.raw<readonly string[]>([]);
  /** Keys of those that still exist. */
  readonly keys = $derived.by(() => this.#keys.filter((key) => this.#list.cases?.some((one) => one.key === key)));
  readonly #list: CaseList;
  readonly #cursor: CaseCursor;
  readonly #isLocked: () => boolean;

  constructor(list: CaseList, cursor: CaseCursor, isLocked: () => boolean) {
    this.#list = list;
    this.#cursor = cursor;
    this.#isLocked = isLocked;
  }

  toggle(key: string): void {
    this.#keys = this.keys.includes(key) ? this.keys.filter((one) => one !== key) : [...this.keys, key];
  }

  selectAll(): void {
    this.#keys = this.#list.cases?.map(({ key }) => key) ?? [];
  }

  clear(): void {
    this.#keys = [];
  }

  /** Deletes the selected cases, else the current one. */
  async remove(): Promise<void> {
    const targets = this.#targets();
    if (targets.length === 0) return;
    const what = nameAll(targets);
    const changes = targets.map(({ key }) => ({ change: 'remove' as const, key }));
    if (!(await this.#list.tryEdit(changes, `Deleted ${what}`, `delete ${what}`))) return;
    this.clear();
    this.#cursor.move(this.#cursor.row);
  }

  async duplicate(): Promise<void> {
    const targets = this.#targets();
    if (targets.length === 0) return;
    const what = nameAll(targets);
    const changes = targets.map(({ key }) => ({ change: 'duplicate' as const, key }));
    if (await this.#list.tryEdit(changes, `Duplicated ${what}`, `duplicate ${what}`)) this.#cursor.move(this.#cursor.row + 1);
  }

  #targets(): EvalCase[] {
    if (this.#isLocked()) return [];
    const selected = (this.#list.cases ?? []).filter(({ key }) => this.keys.includes(key));
    const { current } = this.#cursor;
    return (selected.length > 0 ? selected : current ? [current] : []).filter((one) => !isOfManifest(one));
  }
}

const nameAll = (cases: readonly EvalCase[]): string => (cases.length === 1 && cases[0] ? titleOf(cases[0]) : plural(cases.length, 'case'));
