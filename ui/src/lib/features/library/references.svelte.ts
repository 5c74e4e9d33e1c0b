import { asFailure, type Client, Deadline, Debounce, type ChangeFeed, Latest, type SkillKey, skillKey } from '$lib/api';
import type { Failure, FileText, OutputOf, ReferenceOffer, SkillReference } from '$lib/api/generated';

interface Ports {
  /** Something was done that can be undone. */
  did: (message: string, step: { label: string; undo: () => Promise<void>; redo: () => Promise<void> }) => void;
  report: (what: string, cause: unknown) => void;
}

/** A file that is looked at. */
interface OpenFile {
  reference: SkillReference;
  /** Null until it is read. */
  file: FileText | null;
  failure: Failure | null;
}

const TYPE_MS = 80;
const LIVE_MS = 200;

/** The references of the skill that is shown, and the search for more. */
export class References {
  list = $state.raw<readonly SkillReference[] | null>(null);
  failure = $state.raw<Failure | null>(null);
  open = $state.raw<OpenFile | null>(null);
  /** Whether something to attach is being looked for. */
  attaching = $state(false);
  query = $state('');
  offers = $state.raw<readonly ReferenceOffer[]>([]);
  offersFailure = $state.raw<Failure | null>(null);
  /** Whether the workspace has more files than are searched. */
  isPartial = $state(false);
  isSearching = $state(false);
  /** What isn’t attached yet. */
  readonly offered = $derived(this.offers.filter((offer) => !this.list?.some((one) => sameTarget(one, offer))));
  #key: SkillKey | null = null;
  #searches = 0;
  readonly #client: Client;
  readonly #ports: Ports;
  readonly #reading = new Latest(() => this.#read());
  readonly #live = new Deadline(LIVE_MS, () => this.#reading.ask());
  readonly #searching = new Latest(() => this.#search());
  readonly #typed = new Debounce(TYPE_MS, () => this.#searching.ask());

  constructor(client: Client, feed: ChangeFeed, ports: Ports) {
    this.#client = client;
    this.#ports = ports;
    feed.on('reference', ({ ids }) => {
      if (this.#key && ids.includes(this.#key.id)) this.#live.touch();
    });
    // Without ids: more happened than this window was told.
    feed.on('skill', ({ ids }) => {
      if (this.#key && ids.length === 0) this.#live.touch();
    });
    // A page that was renamed or removed is missing from here.
    feed.on('page', () => {
      if (this.list?.some(({ form }) => form === 'page')) this.#live.touch();
    });
  }

  show(key: SkillKey): void {
    if (!this.#isShown(key)) [this.list, this.failure, this.open, this.attaching] = [null, null, null, false];
    this.#key = { scope: key.scope, id: key.id };
    // Files aren't watched: what is missing is found at each look.
    this.refresh();
  }

  close(): void {
    this.#key = null;
    [this.list, this.failure, this.open, this.attaching] = [null, null, null, false];
  }

  refresh(): void {
    if (this.#key && this.#client.workspace !== null) this.#reading.ask();
  }

  startAttaching(): void {
    this.attaching = true;
    this.offers = [];
    this.type('');
    this.#typed.flush();
  }

  type(query: string): void {
    this.query = query;
    this.#searches += 1;
    this.isSearching = true;
    this.#typed.touch();
  }

  async attach(offer: ReferenceOffer): Promise<void> {
    const key = this.#key;
    if (!key) return;
    this.attaching = false;
    const { target_kind, target_ref, title } = offer;
    try {
      let { id } = await this.#client.call('reference/attach', { ...named(key), target_kind, target_ref });
      this.#ports.did(`Attached ${title}`, {
        label: `attach ${title}`,
        undo: async () => void (await this.#client.call('reference/remove', { ...named(key), id })),
        redo: async () => {
          ({ id } = await this.#client.call('reference/attach', { ...named(key), target_kind, target_ref, allow_missing: true }));
        },
      });
    } catch (cause) {
      this.#ports.report(`Couldn’t attach ${title}`, cause);
    }
    this.refresh();
  }

  async remove({ id: first, title }: SkillReference): Promise<void> {
    const key = this.#key;
    if (!key) return;
    let id = first;
    try {
      let removed: OutputOf<'reference/remove'> = await this.#client.call('reference/remove', { ...named(key), id });
      this.list = this.list?.filter((one) => one.id !== id) ?? null;
      this.#ports.did(`Removed ${title} from the references`, {
        label: `remove reference ${title}`,
        undo: async () => {
          const { target_kind, target_ref, position } = removed;
          ({ id } = await this.#client.call('reference/attach', { ...named(key), target_kind, target_ref, position, allow_missing: true }));
        },
        redo: async () => {
          removed = await this.#client.call('reference/remove', { ...named(key), id });
        },
      });
    } catch (cause) {
      this.#ports.report(`Couldn’t remove ${title}`, cause);
    }
    this.refresh();
  }

  /** Shows a file's text. */
  async look(reference: SkillReference): Promise<void> {
    const key = this.#key;
    if (!key) return;
    this.open = { reference, file: null, failure: null };
    const isOpen = (): boolean => this.open?.reference.id === reference.id;
    try {
      const file = await this.#client.call('reference/read', { ...named(key), id: reference.id });
      if (isOpen()) this.open = { reference, file, failure: null };
    } catch (cause) {
      if (isOpen()) this.open = { reference, file: null, failure: asFailure(cause) };
    }
  }

  #isShown(key: SkillKey): boolean {
    return this.#key !== null && skillKey(this.#key) === skillKey(key);
  }

  async #read(): Promise<void> {
    const key = this.#key;
    if (!key) return;
    try {
      const { references } = await this.#client.call('reference/list', named(key));
      if (this.#isShown(key)) [this.list, this.failure] = [references, null];
    } catch (cause) {
      if (this.#isShown(key)) this.failure = asFailure(cause);
    }
  }

  async #search(): Promise<void> {
    const [search, query] = [this.#searches, this.query.trim()];
    let [found, failure]: [OutputOf<'reference/search'>, Failure | null] = [{ offers: [], is_partial: false }, null];
    try {
      found = await this.#client.call('reference/search', { query });
    } catch (cause) {
      failure = asFailure(cause);
    }
    if (search !== this.#searches) return;
    [this.offers, this.isPartial, this.offersFailure, this.isSearching] = [found.offers, found.is_partial, failure, false];
  }
}

const named = ({ id, scope }: SkillKey): { skill: string; scope: SkillKey['scope'] } => ({ skill: id, scope });
const sameTarget = (one: SkillReference, offer: ReferenceOffer): boolean => one.target_kind === offer.target_kind && one.target_ref === offer.target_ref;
