import { asFailure, type Client } from '$lib/api';
import type { Failure, Server } from '$lib/api/generated';
import type { ServerSettings } from './serverSettings.svelte';

/** The server of this app for other programs. */
export class LocalServer {
  /** Null until it is read. */
  status = $state.raw<Server.ServerStatus | null>(null);
  /** Why the status couldn’t be read. */
  failure = $state.raw<Failure | null>(null);
  /** Why the last start or stop of this window failed. */
  actionFailure = $state.raw<Failure | null>(null);
  busy = $state(false);
  readonly running = $derived(this.status?.running ?? null);
  readonly #client: Client;
  readonly #settings: ServerSettings;
  readonly #workspace: () => string | null;
  /** Only the newest answer counts: a status that was asked for before a start ends is older. */
  #request = 0;

  /** `workspace` is the folder that the window has open. */
  constructor(client: Client, settings: ServerSettings, workspace: () => string | null) {
    this.#workspace = workspace;
    this.#client = client;
    this.#settings = settings;
  }

  /** Whether it serves another workspace than that of this window. */
  get servesOther(): boolean {
    return this.running !== null && this.running.workspace !== this.#workspace();
  }

  async load(): Promise<void> {
    const request = ++this.#request;
    try {
      const status = await this.#client.call('server/status', {});
      if (request === this.#request) this.#show(status);
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
    }
  }

  /** Serves the workspace of this window. */
  start(): Promise<boolean> {
    return this.#act(() => this.#client.call('server/start', { port: this.#settings.port }));
  }

  stop(): Promise<boolean> {
    return this.#act(() => this.#client.call('server/stop', {}));
  }

  async restart(): Promise<boolean> {
    return (await this.stop()) && (await this.start());
  }

  /** Returns whether it succeeded. */
  async #act(call: () => Promise<Server.ServerStatus>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.actionFailure = null;
    try {
      const status = await call();
      this.#request += 1;
      this.#show(status);
      return true;
    } catch (cause) {
      this.actionFailure = asFailure(cause);
      return false;
    } finally {
      this.busy = false;
    }
  }

  #show(status: Server.ServerStatus): void {
    this.failure = null;
    // The same object while nothing changes, so that nothing is drawn again.
    if (JSON.stringify(status) !== JSON.stringify(this.status)) this.status = status;
  }
}
