import type InlineEditor from './InlineEditor.svelte';
import type ThreeSides from './ThreeSides.svelte';

export { type CrumbSource } from './crumbs';
export { CompareLook, type CompareWanted, Comparison } from './comparison.svelte';
export { Document, type DocumentKey, type Goal } from './document.svelte';
export { default as EditorArea } from './EditorArea.svelte';
export { EditorState } from './editorState.svelte';
export { type EditorCommand } from './codemirror/editorCommands';
export { formattingOf, formatText } from './formatText';
export { type EditorHelp } from './help';
export { default as MergeBox } from './MergeBox.svelte';
export { symbolsOf } from './outline';
export { type TabGroup } from './tabGroup.svelte';
export { Tabs, type FileTab, type Tab } from './tabs.svelte';
export { viewerOf } from './viewers/viewerOf';
export { warmUp } from './lazyCode';

export const loadInlineEditor = async (): Promise<typeof InlineEditor> => (await import('./InlineEditor.svelte')).default;
export const loadThreeSides = async (): Promise<typeof ThreeSides> => (await import('./ThreeSides.svelte')).default;
