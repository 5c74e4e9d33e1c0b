import type { Action } from '$lib/api/generated';
import { plural } from '$lib/domain';

/** "release-notes, Draft"; "Improves the instructions of a skill" */
export function targetLabel({ built_in, skill, artifact, params }: Action.ActionEntry): string {
  if (built_in) return typeof params['skill'] === 'string' ? `Improves the instructions of ${params['skill']}` : 'Improves the instructions of a skill';
  return [skill, artifact].filter((part) => part !== null).join(', ');
}

/** "release-notes, Draft · 2 values · local/tiny" */
export function actionLabel(action: Action.ActionEntry): string {
  const count = Object.keys(action.params).length;
  return [targetLabel(action), count === 0 ? '' : plural(count, 'value'), action.model ?? ''].filter((part) => part !== '').join(' · ');
}

/** "Trigger: not scheduled here"; null for an action that is meant to be started by hand. */
export function modeLabel({ mode }: Pick<Action.ActionEntry, 'mode'>): string | null {
  if (mode === 'manual') return null;
  const words = mode.replace('_', ' ');
  return `${words[0]?.toUpperCase()}${words.slice(1)}: not scheduled here`;
}
