import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [
    { id: 'export', section: 'data', order: 30, title: 'Export', about: 'Export skills as folders or packages, and runs as JSON Lines.', keywords: 'backup save copy', control: { kind: 'commands', ids: ['data.exportAll', 'skill.export', 'run.export', 'library.show'], labels: { 'data.exportAll': 'Export all skills…', 'skill.export': 'Export skill…', 'run.export': 'Export runs…', 'library.show': 'Select skills in the library' } } },
  ];
}
