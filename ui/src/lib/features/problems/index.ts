export { Problems } from './problems.svelte';
export type { Problem } from './rows';
export { default as ProblemsPanel } from './ProblemsPanel.svelte';
