export { default as CommandPalette } from './CommandPalette.svelte';
export { default as FolderPalette } from './FolderPalette.svelte';
export { FolderPick } from './folderPick.svelte';
export { QuickOpen, type Goal } from './quickOpen.svelte';
export { default as QuickOpenPalette } from './QuickOpenPalette.svelte';
