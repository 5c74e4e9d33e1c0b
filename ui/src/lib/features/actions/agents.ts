import type { ImportItem, TargetSkills } from '$lib/api/generated';

/** The slugs of the skills that aren't here yet. */
export function newSlugs(targets: readonly TargetSkills[]): string[] {
  const fresh = targets.flatMap(({ skills }) => skills.filter((one) => one.status === 'new'));
  return [...new Set(fresh.flatMap(({ slug }) => (slug === null ? [] : [slug])))];
}

/** Whose they are: "Claude Code, Codex and 2 other agents". */
export function agentsOf(targets: readonly TargetSkills[]): string {
  const names = [...new Set(targets.filter(({ skills }) => skills.some((one) => one.status === 'new')).map(({ name }) => name))];
  const [first = '', second = ''] = names;
  if (names.length < 3) return names.join(' and ');
  const others = names.length - 2;
  return `${first}, ${second} and ${others} other ${others === 1 ? 'agent' : 'agents'}`;
}

/** What can be imported at all. */
export const isImportable = ({ status }: ImportItem): boolean => status === 'new' || status === 'update' || status === 'conflict';
