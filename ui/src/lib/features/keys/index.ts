export { EDITOR_KEYS } from './editorKeys';
export { Keymap } from './keymap.svelte';
export { default as KeysSection } from './KeysSection.svelte';
