// The operation table's shapes. `types.ts` is generated from `schema.json`; below are the names that views have for them.
import type { ChangeEvent } from './types';

export type * from './types';
export type {
  ArtifactKind as Kind,
  Completion as FolderEntry,
  Completions as PathCompletion,
  InputEntry as SavedInput,
  RecentEntry as RecentWorkspace,
  RevisionInfo as Revision,
} from './types';

export type ChangeKind = ChangeEvent['kind'];
/** Values by variable. */
export type Params = Record<string, unknown>;
