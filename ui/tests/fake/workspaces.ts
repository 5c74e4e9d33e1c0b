// The workspaces that were opened.
import type { OutputOf, ParamsOf, WorkspaceStatus } from '$lib/api/generated';
import { fail } from './store';

export class FakeWorkspaces {
  readonly known = [
    { path: '/home/ada/notes', name: 'notes', opened_at: '2026-03-13T10:00:00Z', exists: true, trusted: true },
    { path: '/home/ada/code/tracker', name: 'tracker', opened_at: '2026-03-10T10:00:00Z', exists: true, trusted: false },
    { path: '/media/usb/old', name: 'old', opened_at: '2026-01-10T10:00:00Z', exists: false, trusted: false },
  ];
  readonly #status: (path: string) => WorkspaceStatus;
  readonly #changed: () => void;

  constructor(status: (path: string) => WorkspaceStatus, changed: () => void) {
    [this.#status, this.#changed] = [status, changed];
  }

  open({ path }: ParamsOf<'workspace/open'>): WorkspaceStatus {
    if (path.includes('missing')) throw fail('notFound', `folder ${path} not found`, { hint: 'Check the path, or pick another folder' });
    // One that was forgotten comes back without its trust.
    if (!this.known.some((known) => known.path === path)) {
      this.known.unshift({ path, name: path.split('/').at(-1) ?? path, opened_at: '2026-03-14T09:30:00Z', exists: true, trusted: false });
    }
    return this.#status(path);
  }

  recent(): OutputOf<'workspace/recent'> {
    return { workspaces: this.known };
  }

  trust(path: string, trusted: boolean): OutputOf<'workspace/trust'> {
    const one = this.known.find((known) => known.path === path);
    if (!one) throw fail('notFound', `${path} isn’t in the list of workspaces`);
    one.trusted = trusted;
    this.#changed();
    return {};
  }

  forget({ path }: ParamsOf<'workspace/forget'>): OutputOf<'workspace/forget'> {
    const at = this.known.findIndex((known) => known.path === path);
    if (at < 0) throw fail('notFound', `${path} isn’t in the list of workspaces`);
    this.known.splice(at, 1);
    this.#changed();
    return {};
  }
}
