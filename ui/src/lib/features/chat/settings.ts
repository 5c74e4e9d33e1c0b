import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [{ id: 'notes', section: 'notes', title: 'Standing notes', about: 'Short texts that every answer in a chat is told.', keywords: 'system prompt instructions memory preferences', control: { kind: 'part' } }];
}
