export { default as LogPane } from './LogPane.svelte';
export { Log } from './log.svelte';
