import { SvelteMap } from 'svelte/reactivity';
import { asFailure } from '$lib/api';
import type { JsonPath, TreeField } from '$lib/domain';
import type { Document } from '$lib/features/editor';
import type { Failure } from '$lib/api/generated';
import type { FieldNote } from '$lib/ui';
import type { Services } from '$lib/workbench/services';
import { type Group, groupsOf, manifestFields } from './groups';
import { ManifestForm } from './manifestForm.svelte';
import { notesByPlace, placeOf } from './notes';
import { Readiness } from './readiness.svelte';
import { Suggestions } from './suggestions.svelte';
import { groupSummary } from './summary';

type Needs = Pick<Services, 'catalog' | 'chatAgents' | 'client' | 'feed' | 'models' | 'savedActions' | 'symbols'>;

/** The form of the manifest in an open `skill.json`. */
export class ManifestView {
  readonly document: Document;
  readonly form: ManifestForm;
  readonly readiness: Readiness;
  readonly suggestions: Suggestions;
  failure = $state.raw<Failure | null>(null);
  readonly #services: Needs;
  readonly #isFrozen: () => boolean;
  /** Null until the schema is loaded. */
  #fields = $state.raw<readonly TreeField[] | null>(null);
  /** Groups that were opened or closed, or have been open from the start. */
  readonly #open = new SvelteMap<string, boolean>();
  readonly groups = $derived.by(() => this.#fields && groupsOf(this.#fields));
  readonly readOnly = $derived.by(() => this.#isFrozen() || this.form.obstacle !== null);
  readonly #notes = $derived.by(() => notesByPlace(this.document.diagnostics.list, this.#fields ?? []));

  constructor(services: Needs, document: Document, isFrozen: () => boolean) {
    this.#services = services;
    this.document = document;
    this.#isFrozen = isFrozen;
    this.form = new ManifestForm(document.content);
    this.readiness = new Readiness(services.client, services.feed, document.file.skill);
    this.suggestions = new Suggestions(services, this.form.value);
  }

  async load(): Promise<void> {
    void this.suggestions.load(this.document);
    try {
      const fields = manifestFields((await this.#services.symbols.help.language()).skill_json);
      for (const group of groupsOf(fields)) if (groupSummary(group, this.form.value) !== '') this.#open.set(group.id, true);
      [this.#fields, this.failure] = [fields, null];
    } catch (cause) {
      this.failure = asFailure(cause);
    }
  }

  isOpen({ id }: Pick<Group, 'id'>): boolean {
    return this.#open.get(id) ?? false;
  }

  toggle({ id }: Pick<Group, 'id'>, open: boolean): void {
    this.#open.set(id, open);
  }

  /** What the validator says about a value. */
  notesAt(path: JsonPath): readonly FieldNote[] {
    return this.#notes.get(placeOf(path)) ?? [];
  }

  /** How many notes the values of a group have. */
  notesIn({ fields, owner }: Pick<Group, 'fields' | 'owner'>): number {
    const places = fields.map(({ path }) => placeOf(path));
    const isIn = (place: string): boolean => places.some((one) => place === one || place.startsWith(`${one}/`)) || (owner.length > 0 && place === placeOf(owner));
    return [...this.#notes].reduce((count, [place, notes]) => count + (isIn(place) ? notes.length : 0), 0);
  }
}
