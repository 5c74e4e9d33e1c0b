export { type Control, searchEntries, type SettingsEntry, type SettingsSectionId } from './entry';
export { flag } from './flag';
export { loadEntries } from './loadEntries';
export { default as SettingsPane } from './SettingsPane.svelte';
