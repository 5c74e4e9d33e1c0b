import type { StatusText } from '$lib/workbench/contribution';
import type { Services } from '$lib/workbench/services';
import { customEditorOf, modeOf } from './customEditors';
import { viewerOf } from './viewers/viewerOf';

/** Null unless the active file is shown as text; the conflict view shows another text. */
export function positionStatus(services: Pick<Services, 'contributions' | 'editor' | 'layout' | 'tabs'>): StatusText | null {
  const { editor, layout, tabs } = services;
  const { active, document } = tabs;
  if (layout.view !== 'editor' || document?.file.text == null || document.conflict.shown !== null) return null;
  const custom = customEditorOf(services, document);
  const isText = (custom === null && viewerOf(document.file.path) === null) || (active?.kind === 'file' && modeOf(active, custom) === 'text');
  return isText ? { text: `Ln ${editor.cursor.line}, Col ${editor.cursor.column}`, isNumeric: true } : null;
}
