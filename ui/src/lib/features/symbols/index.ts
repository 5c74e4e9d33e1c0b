export { type Item as OutlineEntry, Outline, type Source as OutlineSource } from './outline.svelte';
export { default as OutlinePane } from './OutlinePane.svelte';
export { References } from './references.svelte';
export { default as ReferencesPane } from './ReferencesPane.svelte';
export { default as RenameBox } from './RenameBox.svelte';
export { Renaming } from './renaming.svelte';
export { default as SymbolPalette } from './SymbolPalette.svelte';
export { type TextsNow, Vocabulary } from './vocabulary';
