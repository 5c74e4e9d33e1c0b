// The server and its tokens in memory.
import type { Server, Token } from '$lib/api/generated';
import { fail, type Handlers } from './store';

type AccessOperations = Pick<Handlers, Extract<keyof Handlers, `server/${string}` | `token/${string}`>>;

export class FakeAccess {
  readonly tokens: Token.AccessToken[] = [];
  /** Newest first. */
  audit: Token.AuditEntry[] = [];
  status: Server.ServerStatus = { running: null, failure: null, clients: [], calls: [] };
  /** Ports that other programs use. */
  readonly taken = new Set<number>();
  readonly #now: () => string;
  readonly #workspace: () => string | null;

  constructor(now: () => string, workspace: () => string | null) {
    this.#now = now;
    this.#workspace = workspace;
  }

  readonly handlers: AccessOperations = {
    'server/status': () => this.status,
    'server/start': ({ port }) => this.#start(port ?? 0),
    'server/stop': () => (this.status = { ...this.status, running: null }),
    'token/list': () => ({ tokens: this.tokens.map((token) => ({ ...token })).sort((a, b) => a.name.localeCompare(b.name)) }),
    'token/create': ({ name, role, external, days }) => {
      if (this.tokens.some((token) => token.name === name)) throw fail('exists', `token "${name}" already exists`, { hint: 'choose another name' });
      const expires = days == null ? null : new Date(Date.parse(this.#now()) + days * 86_400_000).toISOString();
      const token = { id: `t${this.tokens.length}`, name, role, external: external ?? false, created_at: this.#now(), expires_at: expires, revoked_at: null, last_used_at: null };
      this.tokens.push(token);
      return { token: { ...token }, secret: `inklings_${token.id}_secret` };
    },
    'token/revoke': ({ token: wanted }) => {
      const token = this.tokens.find(({ id }) => id === wanted);
      if (!token) throw fail('notFound', `token "${wanted}" not found`);
      token.revoked_at ??= this.#now();
      return { ...token };
    },
    'token/calls': ({ limit }) => ({ calls: this.audit.slice(0, limit ?? 100) }),
  };

  /** A program calls. */
  call(caller: string, target: string, status = 200): void {
    const at = this.#now();
    const client: Server.ServerClient = { protocol: 'http', caller, program: 'curl/8.5.0', first_seen_at: at, last_call_at: at, calls: 1 };
    const call: Server.ServerCall = { at, protocol: 'http', caller, program: 'curl/8.5.0', method: 'POST', target, status, failed: status >= 400, milliseconds: 3 };
    const others = this.status.clients.filter((one) => one.caller !== caller);
    this.status = { ...this.status, clients: [client, ...others], calls: [call, ...this.status.calls] };
  }

  #start(port: number): Server.ServerStatus {
    const workspace = this.#workspace();
    const { running } = this.status;
    if (running && running.workspace !== workspace) throw fail('busy', `the server already runs for ${running.workspace}`, { hint: 'stop it first' });
    if (this.taken.has(port)) {
      const failure = `port ${port} is in use by another program`;
      this.status = { ...this.status, failure };
      throw fail('busy', failure, { hint: 'choose another port, or 0 for any free one' });
    }
    const address = `http://127.0.0.1:${port === 0 ? 41_234 : port}`;
    this.status = { running: { address, workspace, started_at: this.#now(), token_file: '/home/ada/.inklings/serve-4680.token' }, failure: null, clients: [], calls: [] };
    return this.status;
  }
}
