import { asFailure, type Client } from '$lib/api';
import type { Client as Clients, Failure } from '$lib/api/generated';
import { doneLabel } from './labels';

/** A file of a client, and what is to be done with it. */
interface Subject {
  client: Pick<Clients.ClientEntry, 'id' | 'name'>;
  file: Clients.ClientFile;
  change: Clients.ClientChange;
}

/** The dialog that shows what changes in a client’s configuration file, and changes it. */
export class ClientChange {
  /** Null while the dialog is closed. */
  subject = $state.raw<Subject | null>(null);
  /** Null until it is read. */
  preview = $state.raw<Clients.ClientPreview | null>(null);
  failure = $state.raw<Failure | null>(null);
  busy = $state(false);
  readonly #client: Client;
  readonly #done: (toast: { title: string; hint: string }) => void;
  #request = 0;

  constructor(client: Client, done: (toast: { title: string; hint: string }) => void) {
    this.#client = client;
    this.#done = done;
  }

  async start(client: Subject['client'], file: Clients.ClientFile, change: Clients.ClientChange): Promise<void> {
    this.subject = { client, file, change };
    await this.load();
  }

  /** Reads what would change. */
  async load(): Promise<void> {
    if (this.subject === null) return;
    const { subject } = this;
    const request = ++this.#request;
    [this.preview, this.failure] = [null, null];
    try {
      const preview = await this.#client.call('client/preview', { change: subject.change, ...paramsOf(subject) });
      if (request === this.#request) this.preview = preview;
    } catch (cause) {
      if (request === this.#request) this.failure = asFailure(cause);
    }
  }

  async apply(): Promise<void> {
    if (this.subject === null || this.preview === null || this.busy) return;
    const { subject } = this;
    const request = this.#request;
    this.busy = true;
    try {
      await this.#client.call(subject.change === 'install' ? 'client/install' : 'client/uninstall', paramsOf(subject));
      if (request === this.#request) this.close();
      this.#done(doneLabel(subject.client.name, subject.change));
    } catch (cause) {
      // What is shown may be out of date.
      if (request === this.#request) [this.preview, this.failure] = [null, asFailure(cause)];
    } finally {
      this.busy = false;
    }
  }

  close(): void {
    this.#request += 1;
    [this.subject, this.preview, this.failure] = [null, null, null];
  }
}

/** The role stays as it is; another server of the same name is replaced, as the dialog says. */
const paramsOf = ({ client, file }: Subject) => ({ client: client.id, scope: file.scope, role: file.role, replace: file.state === 'foreign' });
