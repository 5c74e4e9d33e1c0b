import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [{ id: 'notes', section: 'notes', title: 'Notes', about: 'Short texts that are part of the instructions for every answer in a chat.', keywords: 'system prompt instructions memory preferences', control: { kind: 'part' } }];
}
