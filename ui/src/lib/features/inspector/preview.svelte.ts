import { asFailure, type Client, Debounce, type ChangeFeed, Latest, quietFor } from '$lib/api';
import { isTemplate } from '$lib/domain';
import type { Failure, FileEntry, Prompt } from '$lib/api/generated';
import { Form } from './form.svelte';
import type { FormKey } from './formKey';
import { paramsFor } from './values';

/** An open file. */
export interface PreviewTarget extends FormKey {
  readonly entry: FileEntry | null;
  readonly length: number;
  text(): string;
}

const RENDER_DELAY_MS = 40;

/** The rendered prompt of the open template, updated while the text and the form are edited. */
export class Preview {
  target = $state.raw<PreviewTarget | null>(null);
  variants = $state.raw<Prompt.RenderedVariant[]>([]);
  /** Variables without a value, shown as placeholders. */
  empty = $state.raw<string[]>([]);
  failure = $state.raw<Failure | null>(null);
  rendered = $state(false);
  readonly form: Form;
  readonly variant = $derived.by(
    () =>
      this.variants.find((one) => one.path === this.#variantPath) ??
      this.variants.find((one) => one.path === this.target?.path) ??
      this.variants.find((one) => one.selected) ??
      this.variants[0] ??
      null,
  );
  readonly active = $derived(this.target !== null && isTemplate(this.target.entry, this.target.path));
  #variantPath = $state<string | null>(null);
  readonly #client: Client;
  readonly #latest: Latest;
  readonly #soon = new Debounce(RENDER_DELAY_MS, () => this.#latest.ask());

  constructor(client: Client, feed: ChangeFeed) {
    this.#client = client;
    this.form = new Form(client, feed, () => this.touch());
    this.#latest = new Latest(() => this.#render());
  }

  /** Shows another file. */
  async follow(target: PreviewTarget | null): Promise<void> {
    this.target = target;
    this.variants = [];
    this.failure = null;
    this.rendered = false;
    this.#variantPath = null;
    const current = await this.form.follow(target && this.active ? target : null);
    if (current && this.target === target && this.active) this.#latest.ask();
  }

  /** The text or a value changed. */
  touch(): void {
    if (this.active) this.#soon.touch(quietFor(this.target?.length ?? 0, RENDER_DELAY_MS));
  }

  retry(): void {
    this.#latest.ask();
  }

  chooseVariant(path: string): void {
    this.#variantPath = path;
  }

  async #render(): Promise<void> {
    const target = this.target;
    if (!target) return;
    const { fields } = this.form;
    const known = fields.variables;
    const { params, empty } = paramsFor(known, fields.values);
    try {
      const reply = await this.#client.call('prompt/render', { skill: target.skillId, scope: target.scope, path: target.path, text: target.text(), params });
      if (this.target !== target) return;
      // An incomplete tag hides the variables: the form keeps its fields until the template can be parsed again.
      const broken = reply.variants.some((one) => one.error !== null);
      const kept = broken ? known.filter((one) => !reply.variables.some((other) => other.name === one.name)) : [];
      const variables = [...reply.variables, ...kept];
      fields.variables = variables;
      this.failure = null;
      const names = (list: readonly Prompt.Variable[]): string => list.map((one) => `${one.name}:${one.shape}:${one.fields.join()}`).join(' ');
      // A new variable needs its placeholder, which the next reply has.
      if (names(known) !== names(variables)) this.#latest.ask();
      const settled = names(known) === names(variables) || variables.length === 0;
      if (settled || this.rendered) {
        this.variants = reply.variants;
        this.empty = empty;
        this.rendered = true;
      }
    } catch (cause) {
      if (this.target === target) {
        this.failure = asFailure(cause);
        this.rendered = true;
      }
    }
  }
}
