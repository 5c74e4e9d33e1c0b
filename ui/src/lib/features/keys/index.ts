export { EDITOR_KEYS } from './editorKeys';
export { Keymap } from './keymap.svelte';
