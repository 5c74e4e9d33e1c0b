import type { SkillKey, SkillOverview } from '$lib/api';
import type { Services } from '$lib/workbench/services';
import type { EvalsViewModel } from './evalsViewModel.svelte';
import type { StageAction } from './loopStages';

type Needs = Pick<Services, 'manifest' | 'proposals'>;

/** The open proposal for a skill that was made last; null if there is none. */
export function openProposal({ proposals }: Pick<Services, 'proposals'>, { scope, id }: SkillKey): string | null {
  const own = proposals.list.list.filter((one) => one.status === 'open' && one.skill_id === id && one.skill_scope === scope);
  return own.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))[0]?.id ?? null;
}

export function perform(services: Needs, view: EvalsViewModel, skill: SkillOverview, action: StageAction): void {
  switch (action) {
    case 'edit_manifest':
      void services.manifest.open(skill);
      break;
    case 'add_case':
    case 'add_trigger':
      view.part = 'cases';
      view.table.editor.add(action === 'add_case' ? 'task' : 'trigger');
      break;
    case 'test_triggers':
      view.part = 'triggers';
      break;
    case 'rewrite':
      view.part = 'rewrite';
      view.rewriting.setup.open();
      break;
    case 'review':
      services.proposals.open(openProposal(services, skill) ?? undefined);
      break;
    case 'run':
      view.setup.open();
      break;
  }
}
