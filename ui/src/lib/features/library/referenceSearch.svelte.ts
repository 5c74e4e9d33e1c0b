import { asFailure, Debounce, Latest } from '$lib/api';
import type { Failure, OutputOf, Reference } from '$lib/api/generated';

const TYPING_PAUSE_MS = 80;

type Target = Pick<Reference.ReferenceOffer, 'target_kind' | 'target_ref'>;
type Find = (query: string) => Promise<OutputOf<'reference/search'>>;

/** Finds pages and files to attach. */
export class ReferenceSearch {
  isOpen = $state(false);
  query = $state('');
  failure = $state.raw<Failure | null>(null);
  /** Whether the workspace has more files than are searched. */
  isPartial = $state(false);
  busy = $state(false);
  #found = $state.raw<readonly Reference.ReferenceOffer[]>([]);
  /** The found ones that aren’t attached yet. */
  readonly offers = $derived.by(() => this.#found.filter((offer) => !this.#attached()?.some((one) => sameTarget(one, offer))));
  #searches = 0;
  readonly #find: Find;
  readonly #attached: () => readonly Target[] | null;
  readonly #latest = new Latest(() => this.#search());
  readonly #typed = new Debounce(TYPING_PAUSE_MS, () => this.#latest.ask());

  constructor(find: Find, attached: () => readonly Target[] | null) {
    this.#find = find;
    this.#attached = attached;
  }

  open(): void {
    this.isOpen = true;
    this.#found = [];
    this.type('');
    this.#typed.flush();
  }

  type(query: string): void {
    this.query = query;
    this.#searches += 1;
    this.busy = true;
    this.#typed.touch();
  }

  async #search(): Promise<void> {
    const [search, query] = [this.#searches, this.query.trim()];
    let [found, failure]: [OutputOf<'reference/search'>, Failure | null] = [{ offers: [], is_partial: false }, null];
    try {
      found = await this.#find(query);
    } catch (cause) {
      failure = asFailure(cause);
    }
    if (search !== this.#searches) return;
    [this.#found, this.isPartial, this.failure, this.busy] = [found.offers, found.is_partial, failure, false];
  }
}

const sameTarget = (one: Target, offer: Target): boolean => one.target_kind === offer.target_kind && one.target_ref === offer.target_ref;
