import type { ImportItem, Target } from '$lib/api/generated';

export function newSlugs(targets: readonly Target.TargetSkills[]): string[] {
  const added = targets.flatMap(({ skills }) => skills.filter((one) => one.status === 'new'));
  return [...new Set(added.flatMap(({ slug }) => (slug === null ? [] : [slug])))];
}

/** The agents with new skills. */
export function agentsOf(targets: readonly Target.TargetSkills[]): string {
  return agentList(targets.filter(({ skills }) => skills.some((one) => one.status === 'new')).map(({ name }) => name));
}

/** "Claude Code, Codex and 2 other agents", each once. */
export function agentList(all: readonly string[]): string {
  const names = [...new Set(all)];
  const [first = '', second = ''] = names;
  if (names.length < 3) return names.join(' and ');
  const others = names.length - 2;
  return `${first}, ${second} and ${others} other ${others === 1 ? 'agent' : 'agents'}`;
}

export const isImportable = ({ status }: ImportItem): boolean => status === 'new' || status === 'update' || status === 'conflict';
