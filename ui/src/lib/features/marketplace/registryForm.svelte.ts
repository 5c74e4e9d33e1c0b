import { type Client, LongCall } from '$lib/api';
import type { Registry } from '$lib/api/generated';
import { isSameFingerprint } from './labels';

/** The dialog that adds a registry: its address, then the comparison of its fingerprint. */
export class RegistryForm {
  isOpen = $state(false);
  address = $state('');
  /** What the server says about itself. Null until it was asked. */
  identity = $state.raw<Registry.RegistryIdentity | null>(null);
  /** The fingerprint from another source. */
  expected = $state('');
  /** The user compared the fingerprint. */
  compared = $state(false);
  readonly call: LongCall<'inspect' | 'add'>;
  /** Null without a fingerprint from another source. */
  readonly matches = $derived(this.identity === null || this.expected.trim() === '' ? null : isSameFingerprint(this.expected, this.identity.fingerprint));
  readonly canAdd = $derived(this.identity !== null && !this.identity.is_known && (this.matches ?? this.compared));
  readonly #added: (registry: Registry.RegistryInfo) => void;

  constructor(client: Client, added: (registry: Registry.RegistryInfo) => void) {
    this.call = new LongCall(client);
    this.#added = added;
  }

  start(): void {
    this.call.abandon();
    [this.address, this.identity, this.expected, this.compared, this.isOpen] = ['', null, '', false, true];
  }

  close(): void {
    this.call.abandon();
    this.isOpen = false;
  }

  /** To another address. */
  back(): void {
    this.call.abandon();
    [this.identity, this.compared] = [null, false];
  }

  /** Asks the registry who it is, then adds it. */
  submit(): Promise<void> {
    return this.identity === null ? this.#inspect() : this.#add();
  }

  async #inspect(): Promise<void> {
    const address = this.address.trim();
    if (address === '' || this.call.busy) return;
    this.identity = await this.call.run('inspect', 'registry/inspect', { address });
  }

  async #add(): Promise<void> {
    if (!this.identity || !this.canAdd || this.call.busy) return;
    const { address, fingerprint } = this.identity;
    const added = await this.call.run('add', 'registry/add', { address, fingerprint });
    if (!added) return;
    this.close();
    this.#added(added);
  }
}
