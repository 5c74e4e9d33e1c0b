export { normalise, shortcutOf, type KeyPress } from './keys';
export { Commands, type Command } from './registry.svelte';
