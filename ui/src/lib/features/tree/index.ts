export { type Goal } from './drag.svelte';
export { pathOf, skillId, type Row, type ThingRow } from './rows';
export { Tree, type TreeEvents, type TreeMarks } from './tree.svelte';
export { default as TreePane } from './TreePane.svelte';
