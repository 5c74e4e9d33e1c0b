import type { Catalog, SkillKey } from '$lib/api';
import { canOpen, fileId, flatten, folderId, type Row, type Section, sectionId, sectionsOf, skillId } from './rows';
import { TreeFilter } from './treeFilter.svelte';

/** The skills of both scopes as a list of rows, and which of them are expanded. */
export class TreeModel {
  readonly filter = new TreeFilter();
  hasWorkspace = $state(false);
  readonly #expanded = new Set<string>([sectionId('workspace'), sectionId('account')]);
  // Folders are expanded unless collapsed: a skill has few of them.
  readonly #collapsed = new Set<string>();
  /** Counts changes of the two sets, which aren't reactive. */
  #edition = $state(0);
  readonly #catalog: Catalog;
  #previous: Section[] = [];
  readonly #matching = $derived.by(() => {
    const { skills } = this.#catalog;
    return this.filter.active ? skills.filter((skill) => this.filter.matches(skill)) : skills;
  });
  readonly #sections = $derived.by(() => (this.#previous = sectionsOf(this.#matching, this.hasWorkspace, this.#previous)));
  readonly rows = $derived.by(() => {
    void this.#edition;
    return flatten(this.#sections, {
      filtered: this.filter.active,
      isOpen: (id) => this.#isOpen(id),
      detail: (skill) => this.#catalog.details.get(skill),
      failure: (skill) => this.#catalog.details.failureOf(skill),
    });
  });
  /** Expanded skills whose files aren't known: newly expanded, of another workspace, or restored. */
  readonly #unloaded = $derived(this.rows.flatMap((row) => (row.kind === 'note' && row.skill && !row.failed ? [row.skill] : [])));

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  isOpen(row: Row): boolean {
    void this.#edition;
    if (row.kind === 'section' && this.filter.active) return true;
    return canOpen(row) && this.#isOpen(row.id);
  }

  toggle(row: Row, open = !this.isOpen(row)): void {
    if (!canOpen(row)) return;
    this.#setOpen(row.id, open);
    if (open && row.kind === 'skill') void this.#catalog.details.load(row.skill);
  }

  collapseAll(): void {
    for (const id of this.#expanded) if (!id.startsWith('section:')) this.#expanded.delete(id);
    this.#edition += 1;
  }

  /** Loads the files of expanded skills that have none yet. Whoever shows the rows calls it whenever they change. */
  loadExpanded(): void {
    for (const skill of this.#unloaded) void this.#catalog.details.load(skill);
  }

  /** Expands the ancestors of a skill or file, and returns the id of its row. */
  expandTo(key: SkillKey, path?: string): string {
    if (this.filter.text !== '' && !this.#matching.some((skill) => skillId(skill) === skillId(key))) this.filter.text = '';
    this.#setOpen(sectionId(key.scope), true);
    if (path === undefined) return skillId(key);
    this.#setOpen(skillId(key), true);
    void this.#catalog.details.load(key);
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      this.#setOpen(folderId(key, path.slice(0, slash)), true);
    }
    return fileId(key, path);
  }

  #isOpen(id: string): boolean {
    return id.endsWith('/') ? !this.#collapsed.has(id) : this.#expanded.has(id);
  }

  #setOpen(id: string, open: boolean): void {
    const [set, listed] = id.endsWith('/') ? ([this.#collapsed, !open] as const) : ([this.#expanded, open] as const);
    if (set.has(id) === listed) return;
    if (listed) set.add(id);
    else set.delete(id);
    this.#edition += 1;
  }
}
