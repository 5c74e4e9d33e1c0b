import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [
    { id: 'skills', section: 'skills', title: 'Skills', about: 'Enable, pin, preview, create, edit and delete skills.', keywords: 'enable disable toggle list pinned', control: { kind: 'part' } },
  ];
}
