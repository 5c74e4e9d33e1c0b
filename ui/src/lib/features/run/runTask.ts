import { Failed, type TaskInfo } from '$lib/api';
import { formatUsd } from '$lib/domain';
import type { RunOutcome, Scope } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

interface RunParams {
  skill: string;
  scope?: Scope | null;
  artifact?: string | null;
}

/** "Run Check claims" */
export function runInfo(verb: string, { skill, scope, artifact }: RunParams, { catalog }: Pick<Services, 'catalog'>): TaskInfo {
  const known = catalog.skills.find((one) => one.id === skill && (scope == null || one.scope === scope));
  const name = known?.name ?? skill;
  return artifact == null ? { title: `${verb} ${name}` } : { title: `${verb} ${artifact}`, subject: name };
}

/** Throws the run's error. */
export function runOutcome({ status, error, gates, estimated_cost: cost }: RunOutcome): string {
  if (error) throw new Failed(error);
  return [status === 'fallback' ? 'used fallback' : '', gates.some(({ decision }) => decision === null) ? 'waiting for approval' : '', cost === null || cost === 0 ? '' : formatUsd(cost)].filter(Boolean).join(', ');
}
