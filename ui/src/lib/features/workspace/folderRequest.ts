import type { Failure } from '$lib/api/generated';

export interface FolderRequest {
  title: string;
  verb: string;
  /** Whether choosing a recent folder needs no confirmation. */
  direct?: true;
  /** Whether packages can be chosen as well. */
  packages?: true;
  /** A failure is shown below the field. */
  done: (path: string) => Promise<Failure | null> | null;
  /** For Ctrl+Enter; without it that key does the same as Enter. */
  beside?: (path: string) => Promise<Failure | null>;
}
