import type { Failure } from '$lib/api/generated';

/** What lies over the window, one at a time. */
export type Overlay = 'commands' | 'quick' | 'page' | 'folder' | 'model' | 'symbol';

export interface FolderRequest {
  title: string;
  verb: string;
  /** A folder that was used lately is taken at once: nothing is lost by opening the wrong one. */
  direct?: true;
  /** A file of skills can be chosen, too. */
  packages?: true;
  /** What is done with the folder; a failure is shown where the folder was typed. */
  done: (path: string) => Promise<Failure | null> | null;
  /** What Ctrl+Enter does with it instead; without it that key chooses too. */
  beside?: (path: string) => Promise<Failure | null>;
}
