import type { SkillOverview } from '$lib/api';
import type { Services } from '$lib/workbench/services';

/** True if one of the skills is locked, after a notification that says so. */
export function refuseLocked({ actions, toasts }: Pick<Services, 'actions' | 'toasts'>, skills: readonly SkillOverview[]): boolean {
  const locked = skills.find((skill) => skill.locked);
  if (!locked) return false;
  toasts.show(`${locked.name} is locked`, {
    hint: 'Duplicate it to make changes.',
    actions: [{ label: 'Duplicate to edit', run: () => actions.duplicate(locked) }],
  });
  return true;
}
