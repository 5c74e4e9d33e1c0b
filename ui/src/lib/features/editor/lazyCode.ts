import { languageOf } from './codemirror/languages';
import type { CodeView } from './codemirror/codeView';
import type { MergePanes } from './codemirror/mergeView';

// CodeMirror is loaded with the first tab, so that the window opens faster.
export const loadCodeView = async (): Promise<typeof CodeView> => (await import('./codemirror/codeView')).CodeView;
export const loadMergePanes = async (): Promise<typeof MergePanes> => (await import('./codemirror/mergeView')).MergePanes;

/** Loads the editor while the window is idle. A failure shows when a file is opened. */
export async function warmUp(): Promise<void> {
  await Promise.all([loadCodeView(), languageOf('SKILL.md').load(), languageOf('a.j2').load()]).catch(() => undefined);
}
