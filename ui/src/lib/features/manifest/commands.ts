import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

export function manifestCommands({ context, manifest }: Pick<Services, 'context' | 'manifest'>): Command[] {
  const { inEditor, selected } = context;

  return [
    { id: 'manifest.edit', group: 'Skill', title: 'Edit manifest', keywords: 'skill.json form requirements tools integrations gates actions steps delegation goal loop evals bindings exposure governance', when: selected.exists, run: selected.with((skill) => manifest.open(skill)) },
    { id: 'manifest.check', group: 'Skill', title: 'Check readiness', keywords: 'manifest requirements missing tools integrations', when: selected.exists, run: selected.with((skill) => manifest.check(skill)) },
    { id: 'manifest.attach', group: 'Skill', title: 'Attach page or file to manifest', keywords: 'reference binding material', when: () => inEditor() && manifest.active?.readOnly === false, run: () => manifest.attach() },
  ];
}
