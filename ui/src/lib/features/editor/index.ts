export { type CrumbSource } from './crumbs';
export { Document, type DocumentKey, type Goal } from './document.svelte';
export { default as EditorArea } from './EditorArea.svelte';
export { EditorState } from './editorState.svelte';
export { default as MergeBox } from './MergeBox.svelte';
export { type TabGroup } from './tabGroup.svelte';
export { Tabs, type Comparison, type FileTab, type Tab } from './tabs.svelte';
export { warmUp } from './lazyCode';
