import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [{ id: 'targets', section: 'targets', title: 'Deployed skills', about: 'Copies of skills in the folders of agents.', keywords: 'deploy target agent drift copy link kit watch claude codex', control: { kind: 'part' } }];
}
