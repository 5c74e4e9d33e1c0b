export { Compare } from './compare.svelte';
export { default as ComparePane } from './ComparePane.svelte';
export { RunExport } from './exporter.svelte';
export { default as RunDetailPane } from './RunDetailPane.svelte';
export { type NameOf, Runs } from './runs.svelte';
export { default as RunsPane } from './RunsPane.svelte';
export { RunView } from './runView.svelte';
export { Usage } from './usage.svelte';
export { default as UsagePane } from './UsagePane.svelte';
