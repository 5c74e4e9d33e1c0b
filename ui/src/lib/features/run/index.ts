export type { Gate } from './gateApproval.svelte';
export { limitField, RunLimits } from './limits.svelte';
export { default as LimitsRow } from './LimitsRow.svelte';
export { cancel, execute, LiveRun, outcomeOf } from './liveRun.svelte';
export { RunState, type RunTarget } from './run.svelte';
export { runInfo, runOutcome } from './runTask';
export { default as RunPanel } from './RunPanel.svelte';
export { default as RunResult } from './RunResult.svelte';
export { default as RunErrorState } from './RunErrorState.svelte';
