import type { Catalog, SkillOverview } from '$lib/api';
import type { Services } from '$lib/workbench/services';
import type { RewriteOutcome } from './rewriteOutcome.svelte';

/** The skill that the accepted result changed: a copy if the skill is locked. Null if nothing was accepted, or if it isn’t known. */
export function changedSkill(catalog: Pick<Catalog, 'skills' | 'summary'>, { value, skill, revision }: Pick<RewriteOutcome, 'value' | 'skill' | 'revision'>): SkillOverview | null {
  if (revision === null) return null;
  const { promoted } = value;
  if (promoted?.forked === true) return catalog.skills.find((one) => one.id === promoted.skill || one.slug === promoted.skill) ?? null;
  const summary = catalog.summary(skill);
  return summary?.locked === false ? summary : null;
}

/** Rolls a skill back to the revision before `revision`. */
export async function rollBack({ actions, client, notifications }: Pick<Services, 'actions' | 'client' | 'notifications'>, skill: SkillOverview, revision: number): Promise<void> {
  try {
    const { revisions } = await client.call('skill/history', { skill: skill.id, scope: skill.scope, limit: 2 });
    const previous = revisions.find(({ number }) => number < revision);
    if (previous) await actions.rollBack(skill, previous);
  } catch (cause) {
    notifications.report(`Couldn’t roll back ${skill.name}`, cause);
  }
}
