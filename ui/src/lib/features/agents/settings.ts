import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [
    { id: 'agents', section: 'agents', title: 'Agents', about: 'Profiles for chats, with their own instructions, model, tools and skills.', keywords: 'persona profile assistant create rename delete assign', control: { kind: 'part' } },
  ];
}
