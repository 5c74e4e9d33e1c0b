export { LIMIT_NAMES, LIMITS, ScriptLimits } from './limits.svelte';
export { default as NoSandbox } from './NoSandbox.svelte';
