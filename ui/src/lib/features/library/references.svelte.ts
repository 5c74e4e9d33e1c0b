import { asFailure, type Client, Deadline, type ChangeFeed, Latest, type SkillKey, skillKey } from '$lib/api';
import type { Failure, OutputOf, Reference } from '$lib/api/generated';
import { ReferenceSearch } from './referenceSearch.svelte';

interface Ports {
  /** Adds a step to the undo stack and shows the message. */
  push: (message: string, step: { label: string; undo: () => Promise<void>; redo: () => Promise<void> }) => void;
  report: (what: string, cause: unknown) => void;
}

interface OpenFile {
  reference: Reference.SkillReference;
  /** Null until it is read. */
  file: Reference.FileText | null;
  failure: Failure | null;
}

const LIVE_MS = 200;

/** The references of the shown skill. */
export class References {
  list = $state.raw<readonly Reference.SkillReference[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  open = $state.raw<OpenFile | null>(null);
  readonly search: ReferenceSearch;
  #key: SkillKey | null = null;
  readonly #client: Client;
  readonly #ports: Ports;
  readonly #reading = new Latest(() => this.#read());
  readonly #live = new Deadline(LIVE_MS, () => this.#reading.ask());

  constructor(client: Client, feed: ChangeFeed, ports: Ports) {
    this.#client = client;
    this.#ports = ports;
    this.search = new ReferenceSearch((query) => client.call('reference/search', { query }), () => this.list);
    feed.on('reference', ({ ids }) => {
      if (this.#key && ids.includes(this.#key.id)) this.#live.touch();
    });
    // Without ids anything may have changed.
    feed.on('skill', ({ ids }) => {
      if (this.#key && ids.length === 0) this.#live.touch();
    });
    // A referenced page may have been renamed or deleted.
    feed.on('page', () => {
      if (this.list?.some(({ form }) => form === 'page')) this.#live.touch();
    });
  }

  show(key: SkillKey): void {
    if (!this.#isShown(key)) this.#clear();
    this.#key = { scope: key.scope, id: key.id };
    // Files aren’t watched: missing ones are detected when the page is shown.
    this.refresh();
  }

  close(): void {
    this.#key = null;
    this.#clear();
  }

  refresh(): void {
    if (this.#key && this.#client.workspace !== null) this.#reading.ask();
  }

  async attach(offer: Reference.ReferenceOffer): Promise<void> {
    const key = this.#key;
    if (!key) return;
    this.search.isOpen = false;
    const { target_kind, target_ref, title } = offer;
    try {
      let { id } = await this.#client.call('reference/attach', { ...refOf(key), target_kind, target_ref });
      this.#ports.push(`Attached ${title}`, {
        label: `attach ${title}`,
        undo: async () => void (await this.#client.call('reference/remove', { ...refOf(key), id })),
        redo: async () => {
          ({ id } = await this.#client.call('reference/attach', { ...refOf(key), target_kind, target_ref, allow_missing: true }));
        },
      });
    } catch (cause) {
      this.#ports.report(`Couldn’t attach ${title}`, cause);
    }
    this.refresh();
  }

  async remove({ id: first, title }: Reference.SkillReference): Promise<void> {
    const key = this.#key;
    if (!key) return;
    let id = first;
    try {
      let removed: OutputOf<'reference/remove'> = await this.#client.call('reference/remove', { ...refOf(key), id });
      this.list = this.list?.filter((one) => one.id !== id) ?? null;
      this.#ports.push(`Removed ${title} from the references`, {
        label: `remove reference ${title}`,
        undo: async () => {
          const { target_kind, target_ref, position } = removed;
          ({ id } = await this.#client.call('reference/attach', { ...refOf(key), target_kind, target_ref, position, allow_missing: true }));
        },
        redo: async () => {
          removed = await this.#client.call('reference/remove', { ...refOf(key), id });
        },
      });
    } catch (cause) {
      this.#ports.report(`Couldn’t remove ${title}`, cause);
    }
    this.refresh();
  }

  async showFile(reference: Reference.SkillReference): Promise<void> {
    const key = this.#key;
    if (!key) return;
    this.open = { reference, file: null, failure: null };
    const isOpen = (): boolean => this.open?.reference.id === reference.id;
    try {
      const file = await this.#client.call('reference/read', { ...refOf(key), id: reference.id });
      if (isOpen()) this.open = { reference, file, failure: null };
    } catch (cause) {
      if (isOpen()) this.open = { reference, file: null, failure: asFailure(cause) };
    }
  }

  #clear(): void {
    [this.list, this.failure, this.open] = [null, null, null];
    this.search.isOpen = false;
  }

  #isShown(key: SkillKey): boolean {
    return this.#key !== null && skillKey(this.#key) === skillKey(key);
  }

  async #read(): Promise<void> {
    const key = this.#key;
    if (!key) return;
    try {
      const { references } = await this.#client.call('reference/list', refOf(key));
      if (this.#isShown(key)) [this.list, this.failure] = [references, null];
    } catch (cause) {
      if (this.#isShown(key)) this.failure = asFailure(cause);
    }
  }
}

const refOf = ({ id, scope }: SkillKey): { skill: string; scope: SkillKey['scope'] } => ({ skill: id, scope });
