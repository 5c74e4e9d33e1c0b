// Shared components that know the domain. Those that know nothing of it are in `components`.
export { default as AssertionResults } from './AssertionResults.svelte';
export { default as CodeText } from './CodeText.svelte';
export { default as DemoCard } from './DemoCard.svelte';
export { default as FailureLine } from './FailureLine.svelte';
export { type FieldNote } from './fieldNote';
export { default as Highlight } from './Highlight.svelte';
export { default as HighlightedOption } from './HighlightedOption.svelte';
export { default as KindIcon } from './KindIcon.svelte';
export { default as LogBox } from './LogBox.svelte';
export { default as LongText } from './LongText.svelte';
export { default as Markdown } from './Markdown.svelte';
export { default as ModelName } from './ModelName.svelte';
export { default as NumberRow } from './NumberRow.svelte';
export { default as OutputBox } from './OutputBox.svelte';
export { default as SchemaForm } from './SchemaForm.svelte';
export { default as SchemaInput } from './SchemaInput.svelte';
export { default as StatusMark } from './StatusMark.svelte';
export { default as Traceback } from './Traceback.svelte';
