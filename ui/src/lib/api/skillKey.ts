import type { Scope } from '$lib/api/generated';

export interface SkillKey {
  scope: Scope;
  id: string;
}

export const skillKey = (skill: SkillKey): string => `${skill.scope}:${skill.id}`;
