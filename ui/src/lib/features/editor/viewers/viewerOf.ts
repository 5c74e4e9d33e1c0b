import type { Component } from 'svelte';
import { extensionOf } from '$lib/domain';
import type { Document, Position } from '../document/document.svelte';

/** A viewer that can be shown instead of the text. */
export interface Viewer {
  name: string;
  load: () => Promise<{
    default: Component<{ document: Document; oncopy: (text: string) => void; onplace: (at: Position) => void }>;
  }>;
}

const TABLE: Viewer = { name: 'Table', load: () => import('./TableView.svelte') };
const PICTURE: Viewer = { name: 'Image', load: () => import('./SvgView.svelte') };
const BY_ENDING: Record<string, Viewer> = { csv: TABLE, tsv: TABLE, tab: TABLE, svg: PICTURE };

export const viewerOf = (path: string): Viewer | null => BY_ENDING[extensionOf(path)] ?? null;
