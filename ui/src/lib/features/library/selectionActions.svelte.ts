import type { SkillKey } from '$lib/api';
import type { MenuItem } from '$lib/components';
import type { Library } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import type { Bulk } from './bulk.svelte';
import type { LibraryState } from './library.svelte';
import type { SkillActions } from './skillActions';
import { LIFECYCLE_ACTION_LABELS, lifecycleActions, type SkillLifecycle } from './skillLifecycle.svelte';

type ValuePrompt = 'add' | 'remove' | 'category';
type Needs = Pick<Services, 'catalog' | 'clipboard' | 'contextMenu' | 'deployment' | 'exporter' | 'publishing'>;

/** Actions on the selected skills. */
export class SelectionActions {
  /** The skills for which a dialog asks for a value: another process may delete them meanwhile, and others would be selected. */
  asked = $state.raw<readonly SkillKey[]>([]);
  #prompt = $state<ValuePrompt | null>(null);
  readonly #services: Needs;
  readonly #library: LibraryState;
  readonly #bulk: Bulk;
  readonly #skill: SkillActions;
  readonly #lifecycle: SkillLifecycle;

  constructor(services: Needs, library: LibraryState, bulk: Bulk, skill: SkillActions, lifecycle: SkillLifecycle) {
    this.#services = services;
    this.#library = library;
    this.#bulk = bulk;
    this.#skill = skill;
    this.#lifecycle = lifecycle;
  }

  /** The value that a dialog asks for. */
  get prompt(): ValuePrompt | null {
    return this.#prompt;
  }

  set prompt(what: ValuePrompt | null) {
    this.#prompt = what;
    this.asked = what === null ? [] : this.#library.selection.targets;
  }

  enable(on: boolean): Promise<void> {
    return this.#bulk.apply(this.#library.selection.targets, { do: 'enable', on });
  }

  applyValue(value: string): void {
    const { asked, prompt } = this;
    if (prompt === 'add') void this.#bulk.apply(asked, { do: 'add_tag', tag: value });
    else if (prompt === 'remove') void this.#bulk.apply(asked, { do: 'remove_tag', tag: value });
    else if (prompt === 'category') void this.#bulk.apply(asked, { do: 'set_category', category: value });
  }

  export(): void {
    void this.#services.exporter.start(this.#library.selection.targets);
  }

  deploy(): void {
    void this.#services.deployment.start(this.#library.selection.targets);
  }

  publish(): void {
    void this.#services.publishing.start(this.#library.selection.targets);
  }

  delete(): Promise<void> {
    return this.#bulk.apply(this.#library.selection.targets, { do: 'delete' });
  }

  menu(at: { x: number; y: number }): void {
    const { cursor, selection } = this.#library;
    const { targets } = selection;
    if (targets.length === 0) return;
    const items = targets.length === 1 && cursor.row ? this.#one(cursor.row) : [];
    const count = targets.length === 1 ? '' : ` ${targets.length}`;
    items.push(
      { label: `Enable${count}`, separated: items.length > 0, run: () => this.#bulk.apply(targets, { do: 'enable', on: true }) },
      { label: `Disable${count}`, run: () => this.#bulk.apply(targets, { do: 'enable', on: false }) },
      { label: 'Add tag…', run: () => (this.prompt = 'add') },
      { label: 'Remove tag…', run: () => (this.prompt = 'remove') },
      { label: 'Set category…', run: () => (this.prompt = 'category') },
      { label: 'Export…', separated: true, run: () => this.export() },
      { label: 'Deploy…', run: () => this.deploy() },
      { label: 'Publish…', disabled: targets.every((key) => this.#services.catalog.summary(key)?.locked === true), run: () => this.publish() },
      { label: `Delete${count}`, shortcut: 'Delete', separated: true, run: () => this.#bulk.apply(targets, { do: 'delete' }) },
    );
    this.#services.contextMenu.show(at, 'Actions', items);
  }

  #one(row: Library.LibraryRow): MenuItem[] {
    return [
      { label: 'Open', shortcut: 'Enter', run: () => this.#skill.show(row) },
      { label: 'Open in editor', run: () => this.#skill.edit(row) },
      { label: 'Run', run: () => this.#skill.run(row) },
      { label: 'Duplicate to edit', run: () => this.#skill.duplicate(row) },
      { label: 'Copy name', run: () => this.#services.clipboard.copy(row.slug, 'the name') },
      ...lifecycleActions(row.lifecycle).map((action, index) => ({ label: LIFECYCLE_ACTION_LABELS[action], separated: index === 0, run: () => this.#lifecycle.change(row, action) })),
    ];
  }
}
