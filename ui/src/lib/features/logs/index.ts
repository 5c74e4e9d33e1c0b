export { default as LogPane } from './LogPane.svelte';
export { LogState } from './log.svelte';
