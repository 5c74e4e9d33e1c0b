export { Zoom } from './zoom.svelte';
