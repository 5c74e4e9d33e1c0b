import type { SkillKey } from '$lib/api';
import type { Diagnostic } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { RecentRegistries } from './recentRegistries';
import { RegistryCreation } from './registryCreation.svelte';
import { Release } from './release.svelte';
import { SkillChoice } from './skillChoice.svelte';
import { TargetRegistry } from './targetRegistry.svelte';

type Needs = Pick<Services, 'catalog' | 'client' | 'files' | 'settings' | 'toasts' | 'workspace'>;

export type PublishingStep = 'registry' | 'create' | 'skills' | 'review' | 'done';

/** The dialog that publishes skills: a registry, the skills, a review of what changes, and the result. */
export class Publishing {
  /** Null while the dialog is closed. */
  step = $state<PublishingStep | null>(null);
  readonly target: TargetRegistry;
  readonly creation: RegistryCreation;
  readonly choice: SkillChoice;
  readonly release: Release;
  readonly isBusy = $derived.by(() => this.target.call.busy || this.creation.call.busy || this.release.call.busy);
  /** The step to continue with after a file was opened. */
  #pausedAt: PublishingStep | null = null;
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    const { catalog, client, settings } = services;
    const expand = (path: string): string => {
      const { home } = services.workspace;
      return home !== null && /^~(\/|$)/.test(path) ? `${home}${path.slice(1)}` : path;
    };
    this.target = new TargetRegistry(client, new RecentRegistries(settings), expand);
    this.creation = new RegistryCreation(client, expand);
    this.choice = new SkillChoice(catalog);
    this.release = new Release(client);
  }

  /** Continues if it was paused with these skills. */
  async start(skills: readonly SkillKey[] = []): Promise<void> {
    if (this.#pausedAt !== null && skills.every((skill) => this.choice.has(skill))) {
      await this.#continue();
      return;
    }
    this.close();
    this.choice.start(skills);
    this.target.days = '';
    this.step = 'registry';
    const [last] = this.target.recent.list;
    if (last) await this.target.choose(last.folder);
    else this.target.type('');
  }

  /** Cancels what runs. */
  close(): void {
    for (const { call } of [this.target, this.creation, this.release]) call.abandon();
    this.release.clear();
    [this.step, this.#pausedAt] = [null, null];
  }

  /** Goes on to the next step. */
  async submit(): Promise<void> {
    if (this.step === 'done') this.close();
    if (this.isBusy) return;
    if (this.step === 'registry') await this.#leaveRegistry();
    else if (this.step === 'create') await this.#createRegistry();
    else if (this.step === 'skills') await this.#review();
    else if (this.step === 'review') await (this.release.plan === null ? this.#review() : this.#publish());
  }

  back(): void {
    this.release.call.abandon();
    this.step = this.step === 'review' ? 'skills' : 'registry';
  }

  /** Creates a registry, in the typed folder unless that is one. */
  create(): void {
    this.creation.start(this.target.status === null ? this.target.folder.trim() : '');
    this.step = 'create';
  }

  /** Opens the file of a diagnostic in the editor. What was typed stays. */
  showFile(skill: SkillKey, { file, line, column }: Pick<Diagnostic, 'file' | 'line' | 'column'>): void {
    const { files, toasts } = this.#services;
    [this.#pausedAt, this.step] = [this.step, null];
    if (file === null) void files.openSkill(skill);
    else files.open(skill, file, line === null ? {} : { at: { line, column: column ?? 1 } });
    toasts.show('Publishing is paused', { hint: 'Save your changes, then continue.', actions: [{ label: 'Continue', run: () => this.#continue() }] });
  }

  async #continue(): Promise<void> {
    if (this.#pausedAt === null) return;
    [this.step, this.#pausedAt] = [this.#pausedAt, null];
    if (this.step === 'review') await this.#review();
  }

  async #leaveRegistry(): Promise<void> {
    // What was read is shown first.
    if (this.target.status === null) await this.target.read();
    else if (this.target.areDaysValid) this.step = 'skills';
  }

  async #createRegistry(): Promise<void> {
    const { creation, target } = this;
    if (creation.created === null) {
      const created = await creation.create();
      // With it, its keys are known.
      if (created) target.recent.add({ folder: created.folder, title: created.title, keys: creation.ownKeys });
      return;
    }
    await target.choose(creation.created.folder);
    this.step = target.status === null ? 'registry' : 'skills';
  }

  /** Compares the chosen skills with the registry. */
  async #review(): Promise<void> {
    const [{ status }, { chosen }] = [this.target, this.choice];
    if (status === null || chosen.length === 0) return;
    this.step = 'review';
    await this.release.compare(status.folder, chosen);
  }

  async #publish(): Promise<void> {
    const { release, target } = this;
    if (!target.areDaysValid) return;
    await release.publish(target.params);
    if (release.report === null || this.step !== 'review') return;
    this.step = 'done';
    await target.read();
  }
}
