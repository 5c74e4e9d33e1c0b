import { asFailure, type SkillKey } from '$lib/api';
import type { Failure, Link } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'client' | 'files' | 'folders' | 'links' | 'notifications' | 'toasts'>;

/** Links folders, unlinks and syncs them. */
export class LinkActions {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Asks for the folder of a skill. */
  chooseFolder(): void {
    this.#services.folders.ask({ title: 'Link the folder of a skill', verb: 'Link', done: (path) => this.#add(path, null) });
  }

  /** Keeps the skill and the folder as they are. */
  async unlink(link: Link.LinkedSkill): Promise<void> {
    const { client, notifications, toasts } = this.#services;
    try {
      await client.call('link/remove', { skill: link.id, scope: link.scope });
      toasts.show(`Unlinked ${link.folder}`, {
        hint: 'The skill and the folder keep their files.',
        actions: [{ label: 'Undo', run: async () => notifications.reportFailure('Couldn’t link the folder', await this.#add(link.folder, link.scope)) }],
      });
    } catch (cause) {
      notifications.report('Couldn’t unlink the folder', cause);
    }
  }

  /** Of one skill, or of all. */
  async sync(key: SkillKey | null): Promise<void> {
    try {
      await this.#services.client.call('link/sync', { skill: key && { skill: key.id, scope: key.scope } });
      this.#services.links.reload();
    } catch (cause) {
      this.#services.notifications.report('Couldn’t sync with the folder', cause);
    }
  }

  async #add(folder: string, scope: Link.LinkedSkill['scope'] | null): Promise<Failure | null> {
    try {
      const { id, scope: of } = await this.#services.client.call('link/add', { folder, scope });
      this.#services.links.reload();
      void this.#services.files.openSkill({ id, scope: of });
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }
}
