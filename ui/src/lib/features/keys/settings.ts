import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [
    { id: 'keys', section: 'keys', title: 'Keyboard shortcuts', about: 'View and change keyboard shortcuts.', keywords: 'keybindings hotkeys', control: { kind: 'part' } },
  ];
}
