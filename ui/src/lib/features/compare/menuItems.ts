import type { SkillOverview, SkillKey } from '$lib/api';
import type { MenuItem } from '$lib/components';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'compare'>;

export function compareSkillItems(services: Needs, skill: SkillOverview): MenuItem[] {
  const other = skill.scope === 'workspace' ? 'account' : 'workspace';
  return skill.shadows || skill.shadowed ? [{ label: `Compare with ${other} version`, run: () => services.compare.withOtherScope(skill) }] : [];
}

export function compareFileItems(services: Needs, key: SkillKey, path: string): MenuItem[] {
  const { compare } = services;
  const file = { key: { scope: key.scope, id: key.id }, path };
  return [
    { label: 'Select for compare', separated: true, run: () => compare.select(file) },
    ...(compare.chosen ? [{ label: 'Compare with selected', disabled: !compare.mayCompareWith(file), run: () => compare.withSelected(file) }] : []),
  ];
}
