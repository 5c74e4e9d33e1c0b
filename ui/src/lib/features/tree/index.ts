export { skillId, type Row } from './rows';
export { Tree, type TreeEvents } from './tree.svelte';
export { default as TreePane } from './TreePane.svelte';
