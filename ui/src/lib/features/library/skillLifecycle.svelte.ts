import type { SkillKey } from '$lib/api';
import type { Lifecycle, Skill } from '$lib/api/generated';
import { LIFECYCLE_LABELS } from '$lib/domain';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'client' | 'notifications' | 'toasts'>;
type NamedSkill = SkillKey & Pick<Skill.SkillSummary, 'name'>;

export type LifecycleAction = 'promote' | 'deprecate' | 'archive' | 'reinstate';

export const LIFECYCLE_ACTION_LABELS: Record<LifecycleAction, string> = {
  promote: 'Promote',
  deprecate: 'Deprecate…',
  archive: 'Archive',
  reinstate: 'Reinstate',
};

/** What each state allows; the core refuses the rest. */
const ACTIONS: Record<Lifecycle, readonly LifecycleAction[]> = {
  candidate: ['promote', 'deprecate', 'archive'],
  verified: ['promote', 'deprecate', 'archive'],
  released: ['deprecate', 'archive'],
  degraded: ['promote', 'reinstate', 'deprecate', 'archive'],
  deprecated: ['reinstate', 'archive'],
  archived: ['reinstate'],
};

export function lifecycleActions(lifecycle: Lifecycle): readonly LifecycleAction[] {
  return ACTIONS[lifecycle];
}

/** Changes the lifecycle of a skill. */
export class SkillLifecycle {
  /** The skill for whose deprecation a dialog asks the reason. */
  deprecating = $state.raw<NamedSkill | null>(null);
  readonly #services: Needs;
  readonly #done: () => void;

  constructor(services: Needs, done: () => void) {
    this.#services = services;
    this.#done = done;
  }

  async change(skill: NamedSkill, action: LifecycleAction): Promise<void> {
    if (action === 'deprecate') {
      this.deprecating = skill;
      return;
    }
    const ref = { skill: skill.id, scope: skill.scope };
    const { client } = this.#services;
    await this.#run(skill, action, () => {
      switch (action) {
        case 'promote':
          return client.call('skill/promote', ref);
        case 'archive':
          return client.call('skill/archive', ref);
        case 'reinstate':
          return client.call('skill/reinstate', ref);
      }
    });
  }

  async deprecate(skill: NamedSkill, reason: string): Promise<void> {
    const params = { skill: skill.id, scope: skill.scope, reason };
    await this.#run(skill, 'deprecate', () => this.#services.client.call('skill/deprecate', params));
  }

  async #run(skill: NamedSkill, action: LifecycleAction, call: () => Promise<Skill.SkillSummary>): Promise<void> {
    const { catalog, notifications, toasts } = this.#services;
    try {
      const changed = await call();
      catalog.putSummary(changed);
      toasts.show(`${skill.name} is ${LIFECYCLE_LABELS[changed.lifecycle].toLowerCase()}`);
      this.#done();
    } catch (cause) {
      notifications.report(`Couldn’t ${action} ${skill.name}`, cause);
    }
  }
}
