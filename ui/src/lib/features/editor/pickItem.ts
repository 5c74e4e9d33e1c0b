import type { ArtifactKind } from '$lib/api/generated';

export interface PickItem {
  id: string;
  text: string;
  note?: string;
  /** Indentation level from 0. */
  level?: number;
  /** Whether it is the current choice. */
  current?: boolean;
  file?: { path: string; kind: ArtifactKind | null };
}
