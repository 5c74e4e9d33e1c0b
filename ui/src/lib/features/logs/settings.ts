import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [
    { id: 'log', section: 'data', order: 20, title: 'Log and diagnostics', about: 'The app log and a diagnostics report for bug reports. API keys and skill content aren’t included.', keywords: 'errors bug support version', control: { kind: 'commands', ids: ['view.log', 'help.diagnostics'], labels: { 'view.log': 'Show log' } } },
  ];
}
