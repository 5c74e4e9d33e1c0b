import type { SkillKey } from '$lib/api';
import type { Reference, Skill } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import type { References } from './references.svelte';
import type { SkillPage } from './skillPage.svelte';

type Needs = Pick<Services, 'catalog' | 'client' | 'clipboard' | 'external' | 'files' | 'layout' | 'notifications' | 'pages' | 'runView' | 'runs' | 'runsView' | 'toasts'>;

/** Actions on one skill and its references. */
export class SkillActions {
  readonly #services: Needs;
  readonly #page: SkillPage;
  readonly #references: References;

  constructor(services: Needs, page: SkillPage, references: References) {
    this.#services = services;
    this.#page = page;
    this.#references = references;
  }

  /** Shows the page of a skill, by its key or name. */
  show(skill: SkillKey | string): void {
    const { catalog, toasts } = this.#services;
    if (typeof skill !== 'string') {
      this.#page.show(skill);
      return;
    }
    const found = catalog.skills.find((one) => one.slug === skill && !one.shadowed);
    if (found) this.#page.show(found);
    else toasts.show(`Skill ${skill} not found.`, { tone: 'warn' });
  }

  /** Opens the instructions in the editor. */
  async edit(key: SkillKey): Promise<void> {
    await this.#page.fields.flush();
    await this.#services.files.openSkill(key);
  }

  async run(key: SkillKey): Promise<void> {
    await this.edit(key);
    this.#services.runView.whole = true;
    this.#services.layout.inspector.show('run');
  }

  showRuns(slug: string): void {
    const { runsView } = this.#services;
    runsView.runs.query.set({ skill: slug });
    this.#services.runs.showUsage();
  }

  /** Shows the copy in place of the original. */
  async duplicate(skill: Pick<Skill.SkillSummary, 'id' | 'scope' | 'name'>): Promise<void> {
    const { client, catalog, notifications, toasts } = this.#services;
    try {
      const copy = await client.call('skill/fork', { skill: skill.id, scope: skill.scope });
      catalog.details.put(copy);
      this.#page.show(copy);
      const where = copy.scope === 'workspace' ? 'It overrides the account skill in this workspace.' : `Its name is ${copy.slug}.`;
      toasts.show(`Duplicated ${skill.name}`, { hint: where });
    } catch (cause) {
      notifications.report(`Couldn’t duplicate ${skill.name}`, cause, () => this.duplicate(skill));
    }
  }

  /** Shows a page in the Pages view, a file in a dialog, and asks before it opens a web address. */
  openReference(reference: Reference.SkillReference): void {
    if (reference.form === 'page') void this.#services.pages.open(reference.target_ref);
    else if (reference.form === 'file') void this.#references.showFile(reference);
    else this.#services.external.ask(reference.target_ref);
  }

  async copyPath(path: string): Promise<void> {
    const { workspace } = this.#services.client;
    await this.#services.clipboard.copy(workspace === null ? path : `${workspace}/${path}`, 'the path');
  }
}
