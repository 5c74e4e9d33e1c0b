import { type Client, LongCall } from '$lib/api';
import type { Publish } from '$lib/api/generated';
import type { ExpandPath } from './targetRegistry.svelte';

/** Creates a registry and its keys. */
export class RegistryCreation {
  readonly fields = $state({ folder: '', id: '', title: '', publisher: '', keys: '' });
  /** Null until it is created. */
  created = $state.raw<Publish.CreatedRegistry | null>(null);
  readonly call: LongCall<'creating'>;
  readonly canCreate = $derived([this.fields.folder, this.fields.id, this.fields.title].every((text) => text.trim() !== ''));
  readonly #expand: ExpandPath;

  constructor(client: Client, expand: ExpandPath) {
    this.#expand = expand;
    this.call = new LongCall(client);
  }

  start(folder = ''): void {
    this.call.abandon();
    Object.assign(this.fields, { folder, id: '', title: '', publisher: '', keys: '' });
    this.created = null;
  }

  /** The folder of its keys; empty for the account’s. */
  get ownKeys(): string {
    return this.fields.keys.trim() === '' ? '' : (this.created?.keys.folder ?? '');
  }

  async create(): Promise<Publish.CreatedRegistry | null> {
    if (!this.canCreate || this.call.busy || this.created) return null;
    const folder = this.#expand(this.fields.folder.trim());
    const keys = this.#expand(this.fields.keys.trim()) || null;
    const publisher = this.fields.publisher.trim() || null;
    this.created = await this.call.run('creating', 'publish/create', { target: { folder, keys }, id: this.fields.id.trim(), title: this.fields.title.trim(), publisher });
    return this.created;
  }
}
