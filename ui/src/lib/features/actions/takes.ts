import type { ChangedBy, ImportItem, ImportStatus, PathMerge, ImportAction } from '$lib/api/generated';

/** What a skill that arrives is to those here, before and after it was stored. */
export const STATUS_WORDS: Record<ImportStatus, [before: string, after: string]> = {
  new: ['new', 'added'],
  update: ['update', 'updated'],
  conflict: ['conflict', 'imported'],
  unchanged: ['unchanged', 'unchanged'],
  locked: ['locked', 'imported'],
  refused: ['can’t be imported', 'not imported'],
};

/** The statuses, in the order in which one looks at them. */
export const STATUSES: readonly ImportStatus[] = ['new', 'update', 'conflict', 'locked', 'unchanged', 'refused'];

const TAKE_WORDS: Record<ImportAction, string> = {
  skip: 'Skip',
  merge: 'Merge',
  replace: 'Use theirs',
  both: 'Keep both',
  override: 'Override in workspace',
};

export const takeWords = (take: ImportAction, { status }: ImportItem): string => (take === 'merge' && status === 'update' ? 'Update' : TAKE_WORDS[take]);

/** Who changed a file, in words. */
export const CHANGED_WORDS: Record<ChangedBy, string> = {
  mine: 'changed here',
  theirs: 'changed in the import',
  both: 'same change in both',
  clash: 'changed in both',
};

/** What can be done with a skill that arrives. `overridable`: it goes to the account, and a workspace is open. */
export function takesOf({ status }: ImportItem, overridable: boolean): readonly ImportAction[] {
  const above: readonly ImportAction[] = overridable ? ['override'] : [];
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

/** Whether it is to be decided about, not only wanted or not. */
export const isContested = ({ status }: ImportItem): boolean => status === 'conflict' || status === 'locked';

/** What is done with it unless someone says otherwise. */
export const usualTake = ({ status }: ImportItem): ImportAction => (status === 'new' ? 'replace' : status === 'update' ? 'merge' : 'skip');

/** What is meant by wanting it: nothing that is here gets lost. */
export function wantedTake(item: ImportItem, overridable: boolean): ImportAction {
  if (!isContested(item)) return usualTake(item);
  if (overridable) return 'override';
  return item.status === 'locked' ? 'both' : 'merge';
}

/** The files that can be looked at on three sides. */
export const filesOf = ({ skill, changes }: ImportItem): readonly PathMerge[] => (skill === null ? [] : changes);

/** What came of it. */
export function resultWords({ status, stored }: ImportItem): string {
  if (status === 'refused' || status === 'unchanged' || stored) return STATUS_WORDS[status][1];
  return status === 'conflict' || status === 'locked' ? `not imported: ${status}` : 'skipped';
}
