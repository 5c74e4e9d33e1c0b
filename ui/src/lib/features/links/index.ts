export { default as LinkedFolder } from './LinkedFolder.svelte';
export { Links } from './links.svelte';
