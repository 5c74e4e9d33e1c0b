import type { SkillKey } from '$lib/api';
import type { Chat, Run } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import type { EvalsPart, EvalsViewModel } from './evalsViewModel.svelte';
import { SkillPick } from './skillPick.svelte';

type Needs = Pick<
  Services,
  'actions' | 'catalog' | 'client' | 'context' | 'documents' | 'feed' | 'layout' | 'models' | 'notifications' | 'overlays' | 'settings' | 'toasts' | 'workspace'
>;

/** Loads the Evals view when it is first needed. */
export class EvalsController {
  view = $state.raw<EvalsViewModel | null>(null);
  readonly pick: SkillPick;
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.pick = new SkillPick(services.catalog);
  }

  /** Shows the evals of a skill, by default of the selected one. */
  async open(part?: EvalsPart, skill: SkillKey | null = this.#current()): Promise<void> {
    this.#services.layout.view = 'evals';
    const view = await this.load();
    if (!view) return;
    if (skill) view.show(skill);
    if (part) view.part = part;
  }

  /** Opens the dialog in which a run is set up; while one is in progress, shows it. */
  async setUp(): Promise<void> {
    const isBusy = this.view?.job.call.busy === true;
    await this.open(isBusy ? 'runs' : undefined);
    if (!isBusy && this.view?.skill) this.view.setup.open();
  }

  /** Starts the run that is set up in the dialog. */
  async start(): Promise<void> {
    const { view } = this;
    const params = view?.setup.params;
    if (!view?.key || !params || view.job.call.busy) return;
    // What is stored is run.
    if (!(await this.#services.documents.saveForRun({ scope: view.key.scope, skillId: view.key.id }, null))) return;
    view.setup.close();
    view.part = 'runs';
    await view.job.start(view.skill?.name ?? '', params);
  }

  async resume(run: string): Promise<void> {
    const { view } = this;
    if (view) await view.job.resume(view.skill?.name ?? '', run);
  }

  async trustAndRetry(retry: () => unknown): Promise<void> {
    if (await this.#services.workspace.trust.ask('Trust and run')) await retry();
  }

  chooseSkill(chosen: (skill: SkillKey) => unknown = (skill) => this.view?.show(skill)): void {
    this.pick.start(chosen);
    this.#services.overlays.show('evalSkill');
  }

  /** Duplicates the locked skill that is shown, and shows the copy. */
  async duplicate(): Promise<void> {
    const { actions, catalog, client, notifications } = this.#services;
    const skill = this.view?.skill;
    if (!skill) return;
    try {
      const copy = await client.call('skill/fork', { skill: skill.id, scope: skill.scope });
      catalog.details.put(copy);
      const where = copy.scope === 'workspace' ? 'It overrides the account skill in this workspace.' : `Its name is ${copy.slug}.`;
      actions.undoStack.push(`Duplicated ${skill.name}`, actions.structure.creationStep(`duplicate ${skill.name}`, copy), where);
      this.view?.show(copy);
    } catch (cause) {
      notifications.report(`Couldn’t duplicate ${skill.name}`, cause, () => this.duplicate());
    }
  }

  async saveRun(run: Pick<Run.RunSummary, 'run_id' | 'skill_id' | 'skill_scope'>): Promise<void> {
    const view = await this.load();
    view?.table.saving.start({ run: run.run_id }, { scope: run.skill_scope, id: run.skill_id });
  }

  async saveAnswer({ id: message, session, steps }: Pick<Chat.ChatEntry, 'id' | 'session' | 'steps'>): Promise<void> {
    const [used] = steps.flatMap((step) => (step.kind === 'recommended' ? step.skills : []));
    const view = await this.load();
    view?.table.saving.start({ session, message }, used ? { scope: used.scope, id: used.skill } : (view.key ?? null));
  }

  async load(): Promise<EvalsViewModel | null> {
    try {
      const { EvalsViewModel } = await import('./evalsViewModel.svelte');
      this.view ??= new EvalsViewModel(this.#services);
      return this.view;
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load the evals', cause, () => this.load());
      return null;
    }
  }

  /** The selected skill; null in other views, in which the chosen skill stays. */
  #current(): SkillKey | null {
    const { context, layout } = this.#services;
    return layout.view === 'editor' || this.view?.skill === undefined ? context.selected.skill : null;
  }
}
