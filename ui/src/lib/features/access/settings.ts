import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [
    { id: 'aiClients', section: 'access', title: 'AI clients', about: 'Programs that use your skills through the MCP server.', keywords: 'mcp connect disconnect claude code codex cursor vs code gemini server install', control: { kind: 'part' } },
  ];
}
