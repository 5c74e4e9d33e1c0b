export { Replacing } from './replacing.svelte';
export { Search } from './search.svelte';
export { default as ReplaceDialog } from './ReplaceDialog.svelte';
export { default as SearchPane } from './SearchPane.svelte';
