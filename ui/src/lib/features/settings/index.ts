export { default as SettingsPane } from './SettingsPane.svelte';
export { Theme, type ThemeChoice } from './theme.svelte';
