export { Finder } from './finder.svelte';
export { Indexing } from './indexing.svelte';
export { LooseEnds, type LooseTab } from './looseEnds.svelte';
export { default as LooseEndsPane } from './LooseEndsPane.svelte';
export { PageFind } from './pageFind.svelte';
export { default as PagePalette } from './PagePalette.svelte';
export { default as PageReader } from './PageReader.svelte';
export { default as PagesPane } from './PagesPane.svelte';
export { Reader } from './reader.svelte';
