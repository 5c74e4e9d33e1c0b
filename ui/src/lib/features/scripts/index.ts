export { default as ScriptsSection } from './ScriptsSection.svelte';
