import { sentence } from '$lib/api';
import type { Client as Clients, Server, Token } from '$lib/api/generated';

export const scopeLabel = (scope: Clients.ClientScope): string => (scope === 'user' ? 'All projects' : 'This workspace');

/** "Connected as viewer" */
export function stateLabel({ state, role, reason }: Pick<Clients.ClientFile, 'state' | 'role' | 'reason'>): string {
  switch (state) {
    case 'none':
      return 'Not connected';
    case 'current':
      return role === null ? 'Connected' : `Connected as ${role}`;
    case 'outdated':
      return 'Connected to another version or folder';
    case 'foreign':
      return 'Another server is named inklings';
    case 'broken':
      return `Can’t be changed: ${sentence(reason ?? 'unknown problem')}`;
  }
}

/** What can be done with a file, the first one first. */
export function changesOf(state: Clients.ClientState): { change: Clients.ClientChange; label: string }[] {
  const disconnect = { change: 'uninstall', label: 'Disconnect' } as const;
  switch (state) {
    case 'none':
      return [{ change: 'install', label: 'Connect' }];
    case 'current':
      return [disconnect];
    case 'outdated':
      return [{ change: 'install', label: 'Update' }, disconnect];
    case 'foreign':
      return [{ change: 'install', label: 'Replace' }];
    case 'broken':
      return [];
  }
}

/** The toast after a change. */
export function doneLabel(name: string, change: Clients.ClientChange): { title: string; hint: string } {
  return change === 'install'
    ? { title: `Connected ${name}`, hint: `Restart ${name} to start the server.` }
    : { title: `Disconnected ${name}`, hint: `Restart ${name} to stop the server.` };
}

/** The roles that differ, from the least to the most. */
export const ROLES: readonly { id: Token.RemoteRole; label: string; about: string }[] = [
  { id: 'viewer', label: 'Viewer', about: 'Reads skills.' },
  { id: 'member', label: 'Member', about: 'Reads and runs all skills, creates and changes its own.' },
  { id: 'editor', label: 'Editor', about: 'Reads, runs, creates and changes all skills.' },
  { id: 'system_admin', label: 'Administrator', about: 'Everything except reading and writing files by their paths.' },
];

const OTHER_ROLES: Readonly<Record<string, string>> = { guest: 'Guest', tenant_admin: 'Tenant administrator' };

export const roleLabel = (role: string): string => ROLES.find(({ id }) => id === role)?.label ?? OTHER_ROLES[role] ?? role;

/** Days until a token expires; null: never. */
export const LIFETIMES: readonly { days: number | null; label: string }[] = [
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: '1 year' },
  { days: null, label: 'Never' },
];

/** "You", or the name of a token. */
export function callerLabel(caller: string): string {
  return caller === 'local' ? 'You' : caller.replace(/^(token|mcp):/, '');
}

/** "POST skill/list" */
export const callLabel = ({ method, target }: Pick<Server.ServerCall, 'method' | 'target'>): string => (target === null ? method : `${method} ${target}`);

/** "200", "Failed" */
export function outcomeLabel({ status, failed }: Pick<Server.ServerCall, 'status' | 'failed'>): string {
  return status === null ? (failed ? 'Failed' : 'OK') : String(status);
}

/** "Done", "Refused", "Failed: not found" */
export function auditLabel({ code }: Pick<Token.AuditEntry, 'code'>): string {
  if (code === null) return 'Done';
  return code === 'forbidden' ? 'Refused' : `Failed: ${code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}
