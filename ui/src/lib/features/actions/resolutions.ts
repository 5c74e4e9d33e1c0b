import type { ChangedBy, ImportItem, ImportStatus, PathMerge, Skill } from '$lib/api/generated';

/** Labels of import statuses, before and after the import. */
export const STATUS_LABELS: Record<ImportStatus, [before: string, after: string]> = {
  new: ['New', 'Added'],
  update: ['Update', 'Updated'],
  conflict: ['Conflict', 'Imported'],
  unchanged: ['Unchanged', 'Unchanged'],
  locked: ['Locked', 'Imported'],
  refused: ['Can’t be imported', 'Not imported'],
};

/** In display order. */
export const STATUSES: readonly ImportStatus[] = ['new', 'update', 'conflict', 'locked', 'unchanged', 'refused'];

const RESOLUTION_LABELS: Record<Skill.ImportAction, string> = {
  skip: 'Skip',
  merge: 'Merge',
  replace: 'Use theirs',
  both: 'Keep both',
  override: 'Override in workspace',
};

export const resolutionLabel = (resolution: Skill.ImportAction, { status }: ImportItem): string => (resolution === 'merge' && status === 'update' ? 'Update' : RESOLUTION_LABELS[resolution]);

export const CHANGED_LABELS: Record<ChangedBy, string> = {
  ours: 'changed here',
  theirs: 'changed in the import',
  both: 'same change in both',
  conflict: 'changed in both',
};

/** The possible resolutions. `overridable`: the import goes to the account while a workspace is open. */
export function resolutionsOf({ status }: ImportItem, overridable: boolean): readonly Skill.ImportAction[] {
  const above: readonly Skill.ImportAction[] = overridable ? ['override'] : [];
  switch (status) {
    case 'new':
      return ['skip', 'replace'];
    case 'update':
    case 'conflict':
      return ['skip', 'merge', 'replace', 'both', ...above];
    case 'locked':
      return ['skip', 'both', ...above];
    case 'unchanged':
    case 'refused':
      return ['skip'];
  }
}

export const isChoosable = ({ status }: ImportItem): boolean => status !== 'unchanged' && status !== 'refused';

/** Whether it needs a decision. */
export const isContested = ({ status }: ImportItem): boolean => status === 'conflict' || status === 'locked';

/** The resolution of an unselected skill. */
export const defaultResolution = ({ status }: ImportItem): Skill.ImportAction => (status === 'new' ? 'replace' : status === 'update' ? 'merge' : 'skip');

/** The resolution of a selected skill; none loses local changes. */
export function preferredResolution(item: ImportItem, overridable: boolean): Skill.ImportAction {
  if (!isContested(item)) return defaultResolution(item);
  if (overridable) return 'override';
  return item.status === 'locked' ? 'both' : 'merge';
}

/** Files with base, ours and theirs. */
export const filesOf = ({ skill, changes }: ImportItem): readonly PathMerge[] => (skill === null ? [] : changes);

export function resultLabel({ status, stored }: ImportItem): string {
  if (status === 'refused' || status === 'unchanged' || stored) return STATUS_LABELS[status][1];
  return status === 'conflict' || status === 'locked' ? `Not imported: ${status}` : 'Skipped';
}
