import { type SkillKey, type SkillOverview, skillKey } from '$lib/api';
import type { Services } from '$lib/workbench/services';
import { CaseList } from './caseList.svelte';
import { CaseSaving } from './caseSaving.svelte';
import { CaseTable } from './caseTable';
import { EvalJob } from './evalJob.svelte';
import { EvalRuns } from './evalRuns.svelte';
import { OptimizationStages } from './optimizationStages.svelte';
import { Rewriting } from './rewriting.svelte';
import { RunSetup } from './runSetup.svelte';
import { Triggers } from './triggers.svelte';

export type EvalsPart = 'cases' | 'runs' | 'triggers' | 'rewrite';

type Needs = Pick<Services, 'actions' | 'catalog' | 'client' | 'documents' | 'feed' | 'models' | 'notifications' | 'settings' | 'toasts' | 'workspace'>;

/** The Evals view of one skill. */
export class EvalsViewModel {
  key = $state.raw<SkillKey | null>(null);
  part = $state<EvalsPart>('cases');
  readonly table: CaseTable;
  readonly runs: EvalRuns;
  readonly triggers: Triggers;
  readonly setup: RunSetup;
  readonly job: EvalJob;
  readonly rewriting: Rewriting;
  readonly stages: OptimizationStages;
  readonly #services: Needs;

  constructor(services: Needs) {
    const { client, feed, actions, catalog } = services;
    this.#services = services;
    const pushUndo = (message: string, label: string, skill: SkillKey, before: number, revision: number): void =>
      actions.undoStack.push(message, actions.structure.revisionStep(label, skill, before, revision));
    const list = new CaseList(client, feed, {
      pushUndo,
      report: (what, cause) => services.notifications.report(what, cause),
    });
    const saving = new CaseSaving(client, {
      saved: (skill, before, revision) => pushUndo(`Saved a case of ${catalog.summary(skill)?.name ?? 'the skill'}`, 'save a case', skill, before, revision),
    });
    this.table = new CaseTable(list, saving, () => this.readOnlyReason !== null);
    this.runs = new EvalRuns(client, feed);
    this.triggers = new Triggers(client);
    this.setup = new RunSetup(client, services.models, services.settings, { skill: () => this.key, list, selected: () => this.table.selection.keys });
    this.job = new EvalJob(client, { began: (run) => this.runs.expect(run), ended: (report) => this.runs.ended(report) });
    this.rewriting = new Rewriting(client, feed, services.models, services.settings, {
      skill: () => this.skill ?? null,
      list,
      save: ({ scope, id }) => services.documents.saveForRun({ scope, skillId: id }, null),
      began: () => (this.part = 'rewrite'),
    });
    this.stages = new OptimizationStages(client, feed);
  }

  /** Undefined if none is shown or it was deleted. */
  get skill(): SkillOverview | undefined {
    return this.key === null ? undefined : this.#services.catalog.summary(this.key);
  }

  /** Why cases can’t be edited; null if they can. */
  get readOnlyReason(): 'locked' | 'workspace' | null {
    if (this.skill?.locked !== false) return 'locked';
    return this.key?.scope === 'workspace' && this.#services.workspace.current?.writable === false ? 'workspace' : null;
  }

  show(key: SkillKey | null): void {
    if ((key && skillKey(key)) === (this.key && skillKey(this.key))) return;
    this.key = key && { scope: key.scope, id: key.id };
    this.table.list.show(this.key);
    this.table.reset();
    this.setup.reset();
    this.rewriting.setup.close();
    this.runs.show(this.key);
    this.triggers.show(this.key);
    this.stages.show(this.key);
  }
}
