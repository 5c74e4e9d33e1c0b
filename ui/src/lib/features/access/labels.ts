import { sentence } from '$lib/api';
import type { Client as Clients } from '$lib/api/generated';

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
