import type InlineEditor from './InlineEditor.svelte';
import type ThreeSides from './ThreeSides.svelte';

export { type CrumbSource } from './crumbs';
export { ComparisonOptions, type CompareRequest, Comparison } from './comparison.svelte';
export { applyFix } from './document/content.svelte';
export { Document, loadedText, type RevealTarget } from './document/document.svelte';
export { discardChanges, keepOurs } from './document/resolution';
export { type EditorCommand } from './codemirror/editorCommands';
export { openView } from './tabs/openView';
export { closeDeleted, followMove } from './tabs/fileChanges';
export { type StoredFile } from './document/storedFile.svelte';
export { formattingOf, formatText } from './formatText';
export { type DocumentKey, type Position } from './document/document.svelte';
export { type FileView } from './customEditors';
export { type EditorHelp, SKILL_JSON, SKILL_MD } from './help';
export { viewerFocus } from './viewers/viewerFocus';
export { default as MergeBox } from './MergeBox.svelte';
export { symbolsOf } from './outline';
export { type TabGroup } from './tabs/tabGroup.svelte';
export { type Tab } from './tabs/tabList.svelte';

export const loadInlineEditor = async (): Promise<typeof InlineEditor> => (await import('./InlineEditor.svelte')).default;
export const loadThreeSides = async (): Promise<typeof ThreeSides> => (await import('./ThreeSides.svelte')).default;
