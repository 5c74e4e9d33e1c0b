// Databases that are checked, copied and restored.
import type { ChangeEvent, OutputOf, ParamsOf, Scope } from '$lib/api/generated';
import { fail } from './store';

export class FakeDatabases {
  /** What a check finds. */
  findings: string[] = [];
  /** Files that can be restored. */
  readonly copies = new Set<string>();
  readonly #emit: (kind: ChangeEvent['kind'], scope: Scope) => void;

  constructor(emit: (kind: ChangeEvent['kind'], scope: Scope) => void) {
    this.#emit = emit;
  }

  check(): OutputOf<'db/check'> {
    return { path: '/home/ada/.inklings/agents.db', ok: this.findings.length === 0, findings: this.findings, backups: [] };
  }

  backUp({ scope, to }: ParamsOf<'db/backup'>): OutputOf<'db/backup'> {
    const copy = `${to}/inklings-${scope ?? 'account'}-2026-03-14-093000.db`;
    this.copies.add(copy);
    return { path: '/home/ada/.inklings/agents.db', copy };
  }

  restore({ scope, from }: ParamsOf<'db/restore'>): OutputOf<'db/restore'> {
    if (!this.copies.has(from)) throw fail('notFound', `there is no database ${from}`);
    queueMicrotask(() => this.#emit('database', scope ?? 'account'));
    return { path: '/home/ada/.inklings/agents.db', previous: '/home/ada/.inklings/agents.db.replaced-1' };
  }
}
