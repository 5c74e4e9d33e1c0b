import type { CodeView } from './codemirror/codeView';
import type { MergePanes } from './codemirror/mergeView';

// CodeMirror comes with the first tab, not with the window.
export const loadCodeView = async (): Promise<typeof CodeView> => (await import('./codemirror/codeView')).CodeView;
export const loadMergePanes = async (): Promise<typeof MergePanes> => (await import('./codemirror/mergeView')).MergePanes;
