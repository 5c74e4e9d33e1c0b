import type { SkillKey } from '$lib/api';
import type { Services } from '$lib/workbench/services';
import type { Publishing } from './publishing.svelte';

type Needs = Pick<Services, 'catalog' | 'client' | 'files' | 'notifications' | 'settings' | 'toasts' | 'workspace'>;

/** Loads the dialog when it is first opened. */
export class PublishingController {
  dialog = $state.raw<Publishing | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  get isOpen(): boolean {
    return this.dialog !== null && this.dialog.step !== null;
  }

  /** Opens the dialog with skills that are chosen already. */
  async start(skills: readonly SkillKey[] = []): Promise<void> {
    try {
      const { Publishing } = await import('./publishing.svelte');
      this.dialog ??= new Publishing(this.#services);
      await this.dialog.start(skills);
    } catch (cause) {
      this.#services.notifications.report('Couldn’t open the dialog', cause, () => this.start(skills));
    }
  }
}
