export { FolderPick } from './folderPick.svelte';
export { type QuickOpenItem } from './quickOpen.svelte';
