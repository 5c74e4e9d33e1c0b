import type { ImportItem, Skill } from '$lib/api/generated';
import { isChoosable, isContested, resolutionsOf, defaultResolution, preferredResolution } from './resolutions';

/** The resolution of each imported skill: the default one until another is chosen. */
export class ImportChoices {
  #resolutions = $state.raw<ReadonlyMap<string, Skill.ImportAction>>(new Map());
  #theirs = $state.raw<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  readonly #overridable: () => boolean;

  /** `overridable`: the import goes to the account while a workspace is open. */
  constructor(overridable: () => boolean) {
    this.#overridable = overridable;
  }

  /** Whether a resolution differs from its default. */
  get changed(): boolean {
    return this.#resolutions.size > 0;
  }

  offered(item: ImportItem): readonly Skill.ImportAction[] {
    return resolutionsOf(item, this.#overridable());
  }

  of(item: ImportItem): Skill.ImportAction {
    return this.#resolutions.get(item.path) ?? defaultResolution(item);
  }

  set(item: ImportItem, resolution: Skill.ImportAction): void {
    if (!this.offered(item).includes(resolution)) return;
    this.#resolutions = new Map(this.#resolutions).set(item.path, resolution);
  }

  want(item: ImportItem, wanted: boolean): void {
    this.set(item, wanted ? preferredResolution(item, this.#overridable()) : 'skip');
  }

  /** Selects or deselects these skills. Those that need a decision are selected only if `contested`. */
  wantAll(items: readonly ImportItem[], wanted: boolean, contested: boolean): void {
    const resolutions = new Map(this.#resolutions);
    for (const item of items) {
      if (!isChoosable(item) || (wanted && this.of(item) !== 'skip')) continue;
      if (!wanted) resolutions.set(item.path, 'skip');
      else if (contested || !isContested(item)) resolutions.set(item.path, preferredResolution(item, this.#overridable()));
    }
    this.#resolutions = resolutions;
  }

  /** Whether a merge uses the incoming version of a file. */
  isTheirs(item: ImportItem, file: string): boolean {
    return this.#theirs.get(item.path)?.has(file) === true;
  }

  /** Chooses the version of a file that both sides changed, which chooses to merge, too. */
  choose(item: ImportItem, file: string, theirs: boolean): void {
    const files = new Set(this.#theirs.get(item.path));
    if (theirs) files.add(file);
    else files.delete(file);
    this.#theirs = new Map(this.#theirs).set(item.path, files);
    if (this.of(item) !== 'override') this.set(item, 'merge');
  }

  clear(): void {
    this.#resolutions = new Map();
    this.#theirs = new Map();
  }

  /** How many of these skills will be imported. */
  count(items: readonly ImportItem[]): number {
    return items.filter((item) => this.of(item) !== 'skip').length;
  }

  /** The choices as parameters of the import. */
  list(items: readonly ImportItem[]): Skill.ImportChoice[] {
    return items.flatMap((item) => {
      const resolution = this.of(item);
      if (resolution === 'skip') return [];
      const theirs = resolution === 'merge' ? item.changes.filter(({ path, by }) => by === 'conflict' && this.isTheirs(item, path)).map(({ path }) => path) : [];
      return [{ path: item.path, action: resolution, ...(theirs.length > 0 ? { theirs } : {}) }];
    });
  }
}
