export { WorkspaceList } from './workspaceList.svelte';
export { Zoom } from './zoom.svelte';
