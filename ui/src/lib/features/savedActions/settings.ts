import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [
    { id: 'actions', section: 'actions', title: 'Actions', about: 'Saved runs: a skill with its values and its model.', keywords: 'run trigger queue scheduled optimize-skill enable disable delete', control: { kind: 'part' } },
  ];
}
