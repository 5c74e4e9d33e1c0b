import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [
    { id: 'aiClients', section: 'access', title: 'AI clients', about: 'Programs that use your skills through the MCP server.', keywords: 'mcp connect disconnect claude code codex cursor vs code gemini server install', control: { kind: 'part' } },
    { id: 'localServer', section: 'access', title: 'Server', about: 'Lets programs on this computer use your skills over HTTP.', keywords: 'http mcp rest api serve port address start with the app autostart clients calls', control: { kind: 'part' } },
    { id: 'tokens', section: 'access', title: 'Tokens', about: 'Let programs in, with a role.', keywords: 'server secret bearer create revoke role viewer editor member', control: { kind: 'part' } },
    { id: 'auditLog', section: 'access', title: 'Audit log', about: 'Calls of other programs that changed something or were refused.', keywords: 'server history token', control: { kind: 'part' } },
  ];
}
