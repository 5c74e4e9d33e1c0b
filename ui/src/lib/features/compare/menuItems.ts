import type { Brief, SkillKey } from '$lib/api';
import type { MenuItem } from '$lib/components';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'compare'>;

/** What a skill can be compared with. */
export function compareSkillItems(services: Needs, skill: Brief): MenuItem[] {
  const other = skill.scope === 'workspace' ? 'account' : 'workspace';
  return skill.shadows || skill.shadowed ? [{ label: `Compare with ${other} version`, run: () => services.compare.withOtherScope(skill) }] : [];
}

/** Choosing a file to be compared, and comparing another one with it. */
export function compareFileItems(services: Needs, key: SkillKey, path: string): MenuItem[] {
  const { compare } = services;
  const file = { key: { scope: key.scope, id: key.id }, path };
  return [
    { label: 'Select for compare', separated: true, run: () => compare.select(file) },
    ...(compare.chosen ? [{ label: 'Compare with selected', disabled: !compare.mayCompareWith(file), run: () => compare.withSelected(file) }] : []),
  ];
}
