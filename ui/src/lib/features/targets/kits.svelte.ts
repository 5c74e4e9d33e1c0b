import { asFailure, type Client, type SkillKey } from '$lib/api';
import type { Toasts } from '$lib/components';
import type { Failure, Kit } from '$lib/api/generated';
import type { Notifications } from '$lib/workbench/notifications';

/** Named sets of skills. */
export class Kits {
  /** By name; null until they are read. */
  list = $state.raw<readonly Kit.Kit[] | null>(null);
  /** The skill to add to a kit, while it is asked for. */
  adding = $state.raw<{ id: string; slug: string; name: string } | null>(null);
  readonly #client: Client;
  readonly #toasts: Toasts;
  readonly #notifications: Notifications;

  constructor(client: Client, toasts: Toasts, notifications: Notifications) {
    this.#client = client;
    this.#toasts = toasts;
    this.#notifications = notifications;
  }

  async load(): Promise<void> {
    try {
      this.list = (await this.#client.call('kit/list', {})).kits;
    } catch (cause) {
      this.#notifications.report('Couldn’t read the kits', cause);
    }
  }

  async ask(skill: { id: string; slug: string; name: string }): Promise<void> {
    await this.load();
    this.adding = skill;
  }

  /** Adds the skill that was asked for. The kit is created if there is none of this name. */
  async add(kit: string): Promise<Failure | null> {
    if (this.adding === null) return null;
    try {
      const { name } = await this.#client.call('kit/change', { name: kit, add: [this.adding.id] });
      this.#toasts.show(`Added ${this.adding.name} to ${name}`, { tone: 'ok' });
      this.adding = null;
      await this.load();
      return null;
    } catch (cause) {
      return asFailure(cause);
    }
  }

  async remove({ name, skills }: Kit.Kit): Promise<void> {
    try {
      await this.#client.call('kit/delete', { name });
      this.#toasts.show(`Deleted the kit ${name}`, { actions: [{ label: 'Undo', run: () => this.#restore(name, skills) }] });
    } catch (cause) {
      this.#notifications.report(`Couldn’t delete the kit ${name}`, cause);
    }
    await this.load();
  }

  /** The skills of a kit that are here. Of two with one slug, the workspace’s. */
  skillsOf(kit: Kit.Kit, skills: readonly (SkillKey & { slug: string })[]): SkillKey[] {
    const scopes = ['workspace', 'account'] as const;
    const find = (slug: string): SkillKey | undefined => scopes.map((scope) => skills.find((one) => one.slug === slug && one.scope === scope)).find((one) => one !== undefined);
    return kit.skills.map(find).filter((one) => one !== undefined);
  }

  async #restore(name: string, skills: readonly string[]): Promise<void> {
    try {
      await this.#client.call('kit/change', { name, add: [...skills] });
    } catch (cause) {
      this.#notifications.report(`Couldn’t restore the kit ${name}`, cause);
    }
    await this.load();
  }
}
