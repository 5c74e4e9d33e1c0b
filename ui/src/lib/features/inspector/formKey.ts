import type { Scope } from '$lib/api/generated';

/** The artifact that a form is for; for a whole skill its SKILL.md. */
export interface FormKey {
  scope: Scope;
  skillId: string;
  path: string;
}

export const wireKey = ({ scope, skillId, path }: FormKey): { skill: string; scope: Scope; path: string } => ({ skill: skillId, scope, path });
