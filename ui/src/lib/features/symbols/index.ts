export { Outline } from './outline.svelte';
export { default as OutlinePane } from './OutlinePane.svelte';
export { References } from './references.svelte';
export { default as ReferencesPane } from './ReferencesPane.svelte';
export { Renaming } from './renaming.svelte';
export { type TextsNow, Vocabulary } from './vocabulary';
