import type { Kind } from '$lib/api/generated';

/** A line of a list to choose from. */
export interface PickItem {
  id: string;
  text: string;
  note?: string;
  /** How deep it lies in what is above it, from 0. */
  level?: number;
  /** The one that is shown already. */
  current?: boolean;
  file?: { path: string; kind: Kind | null };
}
