import { type SkillKey, skillKey } from '$lib/api';
import type { MenuItem } from '$lib/components';
import type { Document } from '$lib/features/editor';
import { Bulk, Library, References, SkillPage } from '$lib/features/library';
import type { LibraryRow, SkillReference, SkillSummary } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'actions' | 'catalog' | 'client' | 'clipboard' | 'contextMenu' | 'exporter' | 'feed' | 'files' | 'layout' | 'notifications' | 'pages'
  | 'runView' | 'runs' | 'runsView' | 'settings' | 'tabs' | 'tasks' | 'toasts' | 'workspace'
>;

/** The Library view: the shelf, the page about one skill, and what is done to many. */
export class LibraryViewModel {
  readonly library: Library;
  readonly page: SkillPage;
  readonly bulk: Bulk;
  readonly references: References;
  /** A value that is asked for, before it goes to all that is selected. */
  asking = $state<'add' | 'remove' | 'category' | null>(null);
  /** The page of another skill may have come in front meanwhile. */
  #editing = $state.raw<Document | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    const { client, feed, settings, catalog, toasts, tasks } = services;
    this.library = new Library(client, feed, settings, {
      open: (key) => this.page.show(key),
      failed: (what, cause) => services.notifications.report(what, cause),
    });
    this.page = new SkillPage(client, feed, catalog, settings);
    this.references = new References(client, feed, {
      did: (message, step) => services.actions.journal.did(message, step),
      report: (what, cause) => services.notifications.report(what, cause),
    });
    this.bulk = new Bulk(client, toasts, tasks, { done: () => this.library.refresh() });
  }

  /** Another folder is open. */
  reset(): void {
    this.page.close();
    this.references.close();
    this.asking = null;
    this.library.reset();
  }

  async openAt(index: number): Promise<void> {
    const row = await this.library.list.reach(index);
    if (row) this.page.show(row);
  }

  /** A skill by its key, or by its name as another one says it. */
  openSkill(skill: SkillKey | string): void {
    const { catalog, toasts } = this.#services;
    if (typeof skill !== 'string') {
      this.page.show(skill);
      return;
    }
    const found = catalog.skills.find((one) => one.slug === skill && !one.shadowed);
    if (found) this.page.show(found);
    else toasts.show(`Skill ${skill} not found.`, { tone: 'warn' });
  }

  /** A page is shown among the pages; a file here; an address is copied, as every link is. */
  openReference(reference: SkillReference): void {
    if (reference.form === 'page') void this.#services.pages.open(reference.target_ref);
    else if (reference.form === 'file') void this.references.look(reference);
    else void this.#services.clipboard.copy(reference.target_ref, 'the address');
  }

  async copyPath(path: string): Promise<void> {
    const { workspace } = this.#services.client;
    await this.#services.clipboard.copy(workspace === null ? path : `${workspace}/${path}`, 'the path');
  }

  back(): void {
    this.page.close();
    this.library.listFocus.send();
  }

  enable(on: boolean): Promise<void> {
    return this.bulk.apply(this.library.chosen, { do: 'enable', on });
  }

  value(value: string): void {
    const { asking } = this;
    if (asking === 'add') void this.bulk.apply(this.library.chosen, { do: 'add_tag', tag: value });
    else if (asking === 'remove') void this.bulk.apply(this.library.chosen, { do: 'remove_tag', tag: value });
    else if (asking === 'category') void this.bulk.apply(this.library.chosen, { do: 'set_category', category: value });
  }

  export(): void {
    void this.#services.exporter.start(this.library.chosen);
  }

  async delete(): Promise<void> {
    const { chosen } = this.library;
    const names = new Set(chosen.map(skillKey));
    await this.bulk.apply(chosen, { do: 'delete' });
    for (const name of names) if (!this.#isThere(name)) this.library.selected.delete(name);
  }

  /** The instructions that are edited on the page in front. */
  get editing(): Document | null {
    const [key, document] = [this.page.key, this.#editing];
    return document !== null && key?.id === document.skillId && key.scope === document.scope ? document : null;
  }

  /** Edits the instructions on the page itself. The document is that of an editor tab, so that both show the same text. */
  editInline(): void {
    const { detail } = this.page;
    const main = detail?.entries.find((entry) => entry.role === 'main');
    if (!detail || detail.locked || !main) return;
    this.#editing = this.#services.tabs.open({ scope: detail.scope, skillId: detail.id, path: main.path }, { focus: false });
  }

  async saveInline(): Promise<void> {
    if (this.editing) await this.#services.files.save(this.editing);
  }

  /** Saves what was typed and shows the instructions again; a conflict is resolved first. */
  async doneInline(): Promise<void> {
    const document = this.editing;
    if (!document) return;
    await this.#services.files.save(document);
    if (!document.dirty && document.conflict === null) this.#editing = null;
  }

  /** Opens the instructions in the Studio, for typing in them. */
  async edit(key: SkillKey): Promise<void> {
    await this.page.fields.flush();
    await this.#services.files.openSkill(key);
  }

  async run(key: SkillKey): Promise<void> {
    await this.edit(key);
    this.#services.runView.whole = true;
    this.#services.layout.showInspectorTab('run');
  }

  allRuns(slug: string): void {
    const { runsView } = this.#services;
    runsView.runs.filter({ skill: slug });
    this.#services.runs.showUsage();
  }

  menu(at: { x: number; y: number }): void {
    const { library } = this;
    const { chosen } = library;
    const row = library.current;
    if (chosen.length === 0) return;
    const items = chosen.length === 1 && row ? this.#one(row) : [];
    const many = chosen.length === 1 ? '' : ` ${chosen.length}`;
    items.push(
      { label: `Enable${many}`, separated: items.length > 0, run: () => this.enable(true) },
      { label: `Disable${many}`, run: () => this.enable(false) },
      { label: 'Add tag…', run: () => (this.asking = 'add') },
      { label: 'Remove tag…', run: () => (this.asking = 'remove') },
      { label: 'Set category…', run: () => (this.asking = 'category') },
      { label: 'Export…', separated: true, run: () => this.export() },
      { label: `Delete${many}`, shortcut: 'Delete', separated: true, run: () => this.delete() },
    );
    this.#services.contextMenu.show(at, 'Actions', items);
  }

  #one(row: LibraryRow): MenuItem[] {
    return [
      { label: 'Open', shortcut: 'Enter', run: () => this.page.show(row) },
      { label: 'Open in editor', run: () => this.edit(row) },
      { label: 'Run', run: () => this.run(row) },
      { label: 'Duplicate to edit', run: () => this.duplicate(row) },
      { label: 'Copy name', run: () => this.#services.clipboard.copy(row.slug, 'the name') },
    ];
  }

  /** A copy of one's own, shown here as the original was. */
  async duplicate(skill: Pick<SkillSummary, 'id' | 'scope' | 'name'>): Promise<void> {
    const { client, catalog, notifications, toasts } = this.#services;
    try {
      const copy = await client.call('skill/fork', { skill: skill.id, scope: skill.scope });
      catalog.put(copy);
      this.page.show(copy);
      const where = copy.scope === 'workspace' ? 'It overrides the account skill in this workspace.' : `Its name is ${copy.slug}.`;
      toasts.show(`Duplicated ${skill.name}`, { hint: where });
    } catch (cause) {
      notifications.report(`Couldn’t duplicate ${skill.name}`, cause, () => this.duplicate(skill));
    }
  }

  #isThere(name: string): boolean {
    return this.#services.catalog.skills.some((one) => skillKey(one) === name);
  }
}
