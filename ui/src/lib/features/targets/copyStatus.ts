import { sentence } from '$lib/api';
import { plural } from '$lib/domain';
import type { Target } from '$lib/api/generated';

/** What happens to a copy, or happened to it. */
export function outcomeOf(copy: Target.DeployedCopy): string {
  if (copy.failure) return sentence(copy.failure.message);
  if (copy.changed) return 'Deployed';
  switch (copy.status) {
    case 'new':
    case 'missing':
      return copy.creates_folder ? 'New, in a new folder' : 'New';
    case 'update':
      return 'Update';
    case 'drift':
      return 'Kept: the copy was edited';
    default:
      return stateOf(copy);
  }
}

/** The state of a copy that was deployed before. */
export function stateOf(copy: Target.DeployedCopy): string {
  if (copy.failure) return sentence(copy.failure.message);
  switch (copy.status) {
    case 'new':
      return 'Not deployed';
    case 'update':
      return 'Older than the skill';
    case 'unchanged':
      return 'Up to date';
    case 'drift':
      return `Edited there: ${plural(copy.edited.length, 'file')}`;
    case 'missing':
      return 'Deleted there';
    case 'foreign':
      return 'Kept: not deployed from here';
    case 'conflict':
      return 'Kept: copy of another skill';
    case 'linked':
      return 'Linked to the skill';
    case 'dangling':
      return 'Linked to a missing folder';
    case 'deleted':
      return 'The skill was deleted';
  }
}

/** Whether deploying leaves the copy as it is although it differs. */
export const isKept = ({ status, changed, failure }: Target.DeployedCopy): boolean =>
  failure !== null || (!changed && (status === 'drift' || status === 'foreign' || status === 'conflict'));

export const willChange = ({ status, failure }: Target.DeployedCopy): boolean => failure === null && (status === 'new' || status === 'missing' || status === 'update');
