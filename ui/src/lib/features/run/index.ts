export { limitField, RunLimits } from './limits.svelte';
export { Run, type RunTarget } from './run.svelte';
export { default as RunPanel } from './RunPanel.svelte';
export { default as RunErrorState } from './RunErrorState.svelte';
