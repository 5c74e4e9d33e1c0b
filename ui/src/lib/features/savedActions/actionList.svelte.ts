import { asFailure, type ChangeFeed, type Client } from '$lib/api';
import type { Action, Failure, ParamsOf } from '$lib/api/generated';
import type { Toasts } from '$lib/components';
import type { Notifications } from '$lib/workbench/notifications';

type ActionParams = ParamsOf<'action/save'>;

const paramsOf = ({ slug, skill, scope, artifact, params, model, mode, enabled }: Action.ActionEntry): ActionParams => ({ slug, skill, scope, artifact, params, model, mode, enabled });

/** The saved actions of the account, and what changes them. */
export class ActionList {
  /** By slug; null until they are read. */
  list = $state.raw<readonly Action.ActionEntry[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  readonly #client: Client;
  readonly #toasts: Toasts;
  readonly #notifications: Notifications;
  #request = 0;

  constructor(client: Client, feed: ChangeFeed, toasts: Toasts, notifications: Notifications) {
    this.#client = client;
    this.#toasts = toasts;
    this.#notifications = notifications;
    feed.on('action', () => {
      if (this.list !== null) void this.load();
    });
  }

  async load(): Promise<void> {
    const request = ++this.#request;
    try {
      const { actions } = await this.#client.call('action/list', {});
      if (request === this.#request) [this.list, this.failure] = [actions, null];
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
    }
  }

  /** Creates an action, or replaces the one of this name. Rejects with `Failed`. */
  async save(action: ActionParams): Promise<Action.ActionEntry> {
    const saved = await this.#client.call('action/save', action);
    await this.load();
    return saved;
  }

  /** Replaces the values of an action. Rejects with `Failed`. */
  async setValues(action: Action.ActionEntry, params: ActionParams['params']): Promise<void> {
    await this.save({ ...paramsOf(action), params });
  }

  /** The change is shown before it is stored. */
  async enable(action: Action.ActionEntry, enabled: boolean): Promise<void> {
    this.list = this.list?.map((one) => (one.slug === action.slug ? { ...one, enabled } : one)) ?? null;
    try {
      await this.save({ ...paramsOf(action), enabled });
    } catch (cause) {
      this.#notifications.report(`Couldn’t ${enabled ? 'enable' : 'disable'} ${action.slug}`, cause);
      await this.load();
    }
  }

  async remove(action: Action.ActionEntry): Promise<void> {
    const { slug } = action;
    try {
      await this.#client.call('action/delete', { slug });
      await this.load();
      this.#toasts.show(`Deleted ${slug}`, { actions: [{ label: 'Undo', run: () => this.#restore(action) }] });
    } catch (cause) {
      this.#notifications.report(`Couldn’t delete ${slug}`, cause);
    }
  }

  /** Forgets the actions: what is wrong with them depends on the workspace. */
  reset(): void {
    this.#request += 1;
    this.list = null;
  }

  async #restore(action: Action.ActionEntry): Promise<void> {
    try {
      await this.save(paramsOf(action));
    } catch (cause) {
      this.#notifications.report(`Couldn’t restore ${action.slug}`, cause, () => this.#restore(action));
    }
  }
}
