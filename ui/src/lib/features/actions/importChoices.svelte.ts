import type { ImportChoice, ImportItem, ImportAction } from '$lib/api/generated';
import { isChoosable, isContested, takesOf, usualTake, wantedTake } from './takes';

/** What is to be done with each skill that arrives: as usual until someone says otherwise. */
export class ImportChoices {
  #takes = $state.raw<ReadonlyMap<string, ImportAction>>(new Map());
  #theirs = $state.raw<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  readonly #overridable: () => boolean;

  /** `overridable`: they go to the account, and a workspace is open. */
  constructor(overridable: () => boolean) {
    this.#overridable = overridable;
  }

  /** Whether something isn't as usual. */
  get changed(): boolean {
    return this.#takes.size > 0;
  }

  offered(item: ImportItem): readonly ImportAction[] {
    return takesOf(item, this.#overridable());
  }

  of(item: ImportItem): ImportAction {
    return this.#takes.get(item.path) ?? usualTake(item);
  }

  set(item: ImportItem, take: ImportAction): void {
    if (!this.offered(item).includes(take)) return;
    this.#takes = new Map(this.#takes).set(item.path, take);
  }

  want(item: ImportItem, wanted: boolean): void {
    this.set(item, wanted ? wantedTake(item, this.#overridable()) : 'skip');
  }

  /** All of them, or none. What has to be decided about is taken along only when `contested` says so. */
  wantAll(items: readonly ImportItem[], wanted: boolean, contested: boolean): void {
    const takes = new Map(this.#takes);
    for (const item of items) {
      if (!isChoosable(item) || (wanted && this.of(item) !== 'skip')) continue;
      if (!wanted) takes.set(item.path, 'skip');
      else if (contested || !isContested(item)) takes.set(item.path, wantedTake(item, this.#overridable()));
    }
    this.#takes = takes;
  }

  /** Whether a merge takes a file as it arrives. */
  isTheirs(item: ImportItem, file: string): boolean {
    return this.#theirs.get(item.path)?.has(file) === true;
  }

  /** Which side a merge takes of a file that both changed; to say so is to want the merge. */
  choose(item: ImportItem, file: string, theirs: boolean): void {
    const files = new Set(this.#theirs.get(item.path));
    if (theirs) files.add(file);
    else files.delete(file);
    this.#theirs = new Map(this.#theirs).set(item.path, files);
    if (this.of(item) !== 'override') this.set(item, 'merge');
  }

  clear(): void {
    this.#takes = new Map();
    this.#theirs = new Map();
  }

  /** As the core is told. */
  list(items: readonly ImportItem[]): ImportChoice[] {
    return items.flatMap((item) => {
      const take = this.of(item);
      if (take === 'skip') return [];
      const theirs = take === 'merge' ? item.changes.filter(({ path, by }) => by === 'clash' && this.isTheirs(item, path)).map(({ path }) => path) : [];
      return [{ path: item.path, take, ...(theirs.length > 0 ? { theirs } : {}) }];
    });
  }
}
