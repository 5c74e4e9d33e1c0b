import { tick } from 'svelte';
import { type SkillOverview, sentence } from '$lib/api';
import { folderOf } from '$lib/domain';
import { pathOf, type Row, type ItemRow } from '$lib/features/tree';
import type { Services } from '$lib/workbench/services';
import { refuseLocked } from './lockedSkills';

type Needs = Pick<Services, 'actions' | 'navigation' | 'toasts' | 'tree'>;

export class RenameController {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  isAllowed(row: Row): boolean {
    if (row.kind === 'section' || row.kind === 'note') return false;
    if (refuseLocked(this.#services, [row.skill])) return false;
    if (row.kind !== 'file' || (row.entry.role !== 'main' && row.entry.role !== 'manifest')) return true;
    this.#services.toasts.show(`${row.label} can’t be renamed. Every skill needs it.`, {
      actions: [{ label: 'Rename skill', run: () => this.skill(row.skill) }],
    });
    return false;
  }

  skill(skill: SkillOverview): void {
    this.#services.tree.reveal(skill);
    void this.start();
  }

  file(skill: SkillOverview, path: string): void {
    this.#services.tree.reveal(skill, path);
    void this.start();
  }

  /** Starts renaming the row at the cursor once the tree has the focus, such as after the command palette closes. */
  async start(): Promise<void> {
    this.#services.navigation.focusTree();
    await tick();
    const { cursor, rename } = this.#services.tree;
    rename.start(cursor.row);
  }

  async apply(row: ItemRow, name: string): Promise<string | null> {
    const { structure } = this.#services.actions;
    const failure =
      row.kind === 'skill'
        ? await structure.retitle(row.skill, name)
        : await structure.rename(row.skill, pathOf(row), this.#newPath(row, name), row.kind === 'folder');
    if (failure) return `${asSentence(failure.message)} ${failure.hint ? asSentence(failure.hint) : ''}`.trim();
    if (row.kind !== 'skill') {
      const slash = row.kind === 'folder' ? '/' : '';
      this.#services.tree.cursor.id = row.id.slice(0, -(pathOf(row) + slash).length) + this.#newPath(row, name) + slash;
    }
    return null;
  }

  /** The path for a typed name, which may contain slashes. */
  #newPath(row: ItemRow & { kind: 'file' | 'folder' }, name: string): string {
    const folder = folderOf(pathOf(row));
    return folder === '' || name.startsWith('/') ? name.replace(/^\/+/, '') : `${folder}/${name}`;
  }
}

/** A leading path keeps its case. */
function asSentence(message: string): string {
  return /^\S*[./]/.test(message) ? `${message}.` : sentence(message);
}
