export { normalize, shortcutOf, shortcutProblem, type KeyPress } from './keys';
export { Commands, type Command } from './registry.svelte';
