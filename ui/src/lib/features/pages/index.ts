export { Finder } from './finder.svelte';
export { Indexing } from './indexing.svelte';
export { LinkProblems, type LinkProblemsTab } from './linkProblems.svelte';
export { default as LinkProblemsPane } from './LinkProblemsPane.svelte';
export { PageFind } from './pageFind.svelte';
export { default as PageReader } from './PageReader.svelte';
export { default as PagesPane } from './PagesPane.svelte';
export { Reader } from './reader.svelte';
