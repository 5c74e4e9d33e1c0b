export { Problems, type Problem } from './problems.svelte';
export { default as ProblemsPanel } from './ProblemsPanel.svelte';
