export { type Control, type Entry, searchEntries } from './entry';
export { SECTIONS, type SettingsSection } from './sections';
export { settingsEntries } from './settingsEntries';
export { default as SettingsPane } from './SettingsPane.svelte';
export { Theme, type ThemeChoice } from './theme.svelte';
