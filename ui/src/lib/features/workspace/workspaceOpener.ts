import type { Failure, Workspace } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import type { WorkspaceList } from './workspaceList.svelte';

type Needs = Pick<Services, 'layout' | 'notifications' | 'toasts' | 'workspace'>;

/** Opens folders, and keeps the list of recent ones. */
export class WorkspaceOpener {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Whether the sample workspace is open. */
  get isSampleOpen(): boolean {
    const { current, status } = this.#services.workspace;
    return current !== null && current.path === status?.sample_workspace;
  }

  open(path: string): Promise<Failure | null> {
    return this.#open(this.#services.workspace.open(path));
  }

  async openRecent(path: string): Promise<void> {
    this.#services.notifications.reportFailure('Couldn’t open the folder', await this.open(path));
  }

  /** False if it couldn’t be opened. */
  async openSample(): Promise<boolean> {
    const failure = await this.#open(this.#services.workspace.openSample());
    if (failure) this.#services.notifications.report('Couldn’t open the sample workspace', failure, () => this.openSample());
    return failure === null;
  }

  /** Removes a folder from the recent ones. */
  async forget(recent: WorkspaceList, one: Workspace.RecentEntry): Promise<void> {
    const { notifications, toasts } = this.#services;
    try {
      await recent.forget(one.path);
      // A missing folder can’t be opened, so it can’t be restored.
      const undo = (): Promise<void> => recent.remember(one).catch((cause: unknown) => notifications.report(`Couldn’t undo removing ${one.name}`, cause));
      toasts.show(`Removed ${one.name} from the list`, { hint: 'The folder itself didn’t change.', actions: one.exists ? [{ label: 'Undo', run: undo }] : [] });
    } catch (cause) {
      notifications.report(`Couldn’t remove ${one.name} from the list`, cause);
    }
  }

  /** The settings would hide what is in the folder. */
  async #open(opening: Promise<Failure | null>): Promise<Failure | null> {
    const failure = await opening;
    if (failure === null && this.#services.layout.view === 'settings') this.#services.layout.view = 'editor';
    return failure;
  }
}
