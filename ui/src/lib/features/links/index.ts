export { Links } from './links.svelte';
