import { asFailure, sentence } from '$lib/api';
import type { Action, Code, Failure, OutputOf, Params } from '$lib/api/generated';
import { withApproval } from '$lib/features/run';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'client' | 'documents' | 'evals' | 'gateApproval' | 'proposals' | 'runs' | 'settingsPage' | 'toasts' | 'workspace'>;
type Outcome = OutputOf<'action/run'>;

/** The person was asked, or canceled it. */
const DECLINED: ReadonlySet<Code> = new Set(['approvalRequired', 'notTrusted', 'cancelled']);

/** Starts actions, and reports how they ended. Tasks show those in progress. */
export class ActionRuns {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Asks for the skill first if the built-in action has none. */
  async start(action: Action.ActionEntry): Promise<void> {
    if (action.built_in && typeof action.params['skill'] !== 'string') {
      this.#services.evals.chooseSkill(({ id, scope }) => this.#run(action, { skill: id, scope }));
      return;
    }
    await this.#run(action, {});
  }

  async #run(action: Action.ActionEntry, params: Params): Promise<void> {
    const { client, gateApproval, workspace } = this.#services;
    if (!(await this.#saveText(action, params))) return;
    let outcome = null as Outcome | null;
    const attempt = async (approved: readonly string[]): Promise<Failure | null> => {
      try {
        const run = action.built_in ? null : crypto.randomUUID();
        outcome = await client.call('action/run', { slug: action.slug, run, params, approve: [...approved] });
        return null;
      } catch (cause) {
        return asFailure(cause);
      }
    };
    const failure = await withApproval(gateApproval.ask, async (approved) => {
      const refusal = await attempt(approved);
      return refusal?.code === 'notTrusted' && (await workspace.trust.ask('Trust and run')) ? attempt(approved) : refusal;
    });
    if (outcome) this.#report(action.slug, outcome);
    else if (failure && !DECLINED.has(failure.code)) this.#reportFailure(action.slug, failure);
  }

  /** Saves unsaved text of the skill, since runs use stored files. False if that failed, after a notification. */
  async #saveText({ skill: slug, scope, params: saved }: Action.ActionEntry, params: Params): Promise<boolean> {
    const { catalog, documents } = this.#services;
    const name = slug ?? params['skill'] ?? saved['skill'];
    const skill = catalog.skills.find((one) => (one.slug === name && (scope === null ? !one.shadowed : one.scope === scope)) || one.id === name);
    return skill === undefined || documents.saveForRun({ scope: skill.scope, skillId: skill.id }, null);
  }

  #report(slug: string, ended: Outcome): void {
    const { proposals, runs, toasts } = this.#services;
    if (ended.kind === 'rewrite') {
      const { promoted, proposal } = ended.outcome;
      if (promoted) toasts.show(`${slug} changed ${promoted.skill}`, { hint: `Accepted as revision ${promoted.revision}.` });
      else if (proposal) toasts.show(`${slug} proposes a change`, { actions: [{ label: 'Review', run: () => proposals.open(proposal) }] });
      else toasts.show(`${slug} found no edit that helps`);
      return;
    }
    const { run, status, error, gates } = ended.outcome;
    const show = { label: 'Show run', run: () => runs.show(run) };
    if (status === 'cancelled') return;
    if (error) toasts.show(`${slug} failed: ${sentence(error.message)}`, { tone: 'error', hint: error.hint, actions: [show] });
    else if (gates.some((gate) => gate.decision === null)) toasts.show(`${slug} waits for approval`, { tone: 'warn', actions: [show] });
    else toasts.show(`Ran ${slug}`, { actions: [show] });
  }

  #reportFailure(slug: string, { code, message, hint }: Failure): void {
    const edit = { label: 'Edit action', run: () => this.#services.settingsPage.open('actions') };
    this.#services.toasts.show(`Couldn’t run ${slug}: ${message}`, { tone: 'error', hint, actions: ['invalid', 'notFound'].includes(code) ? [edit] : [] });
  }
}
