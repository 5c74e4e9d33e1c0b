import type { Failure, Registry } from '$lib/api/generated';
import type { RegistryList } from './registries.svelte';

const PRIORITY = /^-?\d{1,6}$/;

/** The dialog that changes the address, mirrors and priority of a registry. */
export class RegistryEditor {
  /** The registry before the change. Null while the dialog is closed. */
  subject = $state.raw<Registry.RegistryInfo | null>(null);
  address = $state('');
  /** One in each line. */
  mirrors = $state('');
  priority = $state('');
  busy = $state(false);
  failure = $state.raw<Failure | null>(null);
  readonly hasPriority = $derived(PRIORITY.test(this.priority.trim()));
  readonly #registries: RegistryList;
  readonly #changed: () => void;

  constructor(registries: RegistryList, changed: () => void) {
    this.#registries = registries;
    this.#changed = changed;
  }

  start(registry: Registry.RegistryInfo): void {
    this.subject = registry;
    this.failure = null;
    [this.address, this.mirrors, this.priority] = [registry.address, registry.mirrors.join('\n'), String(registry.priority)];
  }

  close(): void {
    this.subject = null;
  }

  async save(): Promise<void> {
    const { subject } = this;
    if (!subject || !this.hasPriority || this.busy) return;
    this.busy = true;
    const mirrors = this.mirrors.split('\n').map((line) => line.trim()).filter(Boolean);
    const address = this.address.trim();
    this.failure = await this.#registries.change({ registry: subject.id, mirrors, priority: Number(this.priority.trim()), ...(address === subject.address ? {} : { address }) });
    this.busy = false;
    if (this.failure) return;
    this.close();
    this.#changed();
  }
}
