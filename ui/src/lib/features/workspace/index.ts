export { default as Banners } from './Banners.svelte';
export { default as StatusBar } from './StatusBar.svelte';
export { default as TrustDialog } from './TrustDialog.svelte';
export { Workspace } from './workspace.svelte';
export { Zoom } from './zoom.svelte';
