// AI clients in memory: each has a file of the user's and one of the workspace's.
import type { Client } from '$lib/api/generated';
import { fail, type Handlers } from './store';

type ClientOperations = Pick<Handlers, Extract<keyof Handlers, `client/${string}`>>;

const HOME = '/home/ada';
const CLIENTS = [
  { id: 'claude-code', name: 'Claude Code', user: '.claude.json', project: '.mcp.json' },
  { id: 'codex', name: 'Codex', user: '.codex/config.toml', project: '.codex/config.toml' },
] as const;

export class FakeClients {
  installed = new Set<string>(['claude-code']);
  program: string | null = '/usr/bin/inklings';
  /** By path. */
  readonly files = new Map<string, Pick<Client.ClientFile, 'state' | 'role' | 'reason'>>();
  readonly #workspace: () => string | null;

  constructor(workspace: () => string | null) {
    this.#workspace = workspace;
  }

  readonly handlers: ClientOperations = {
    'client/list': () => ({
      program: this.program,
      clients: CLIENTS.map(({ id, name }) => ({
        id, name, installed: this.installed.has(id),
        files: (['user', 'project'] as const).filter((scope) => scope === 'user' || this.#workspace() !== null).map((scope) => this.#file(id, scope)),
      })),
    }),
    'client/preview': (params) => {
      const file = this.#checked(params);
      const entry = '"inklings": {"command": "/usr/bin/inklings"}';
      const changes = params.change === 'install' ? file.state !== 'current' : file.state !== 'none';
      return {
        path: file.path, creates: false, deletes: false, backup: changes ? `${file.path}.inklings-backup` : null,
        diff: changes ? `@@ -1,2 +1,3 @@\n "mcpServers": {\n${params.change === 'install' ? '+' : '-'}  ${entry}\n` : '',
      };
    },
    'client/install': (params) => this.#put(params, 'current', params.role ?? null),
    'client/uninstall': (params) => this.#put(params, 'none', null),
  };

  #put(params: Client.ClientParams, state: Client.ClientState, role: string | null): Client.ClientReport {
    const { path, state: before } = this.#checked(params);
    this.files.set(path, { state, role, reason: null });
    return { changed: before !== state, file: this.#file(params.client, params.scope) };
  }

  #checked({ client, scope, replace }: Pick<Client.ClientParams, 'client' | 'scope' | 'replace'>): Client.ClientFile {
    const file = this.#file(client, scope);
    if (file.state === 'foreign' && replace !== true) throw fail('exists', `${file.path} has another server named inklings`, { hint: 'replace it, or rename it in the file' });
    if (file.state === 'broken') throw fail('invalid', `${file.path}: ${file.reason}`, { hint: 'correct the file in an editor' });
    return file;
  }

  #file(id: string, scope: Client.ClientScope): Client.ClientFile {
    const client = CLIENTS.find((one) => one.id === id);
    if (!client) throw fail('notFound', `AI client "${id}" not found`);
    const path = `${scope === 'user' ? HOME : this.#workspace()}/${client[scope]}`;
    return { scope, path, ...(this.files.get(path) ?? { state: 'none', role: null, reason: null }) };
  }
}
