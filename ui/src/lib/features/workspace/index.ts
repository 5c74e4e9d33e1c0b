export { default as Banners } from './Banners.svelte';
export { default as StatusBar } from './StatusBar.svelte';
export { Workspace } from './workspace.svelte';
