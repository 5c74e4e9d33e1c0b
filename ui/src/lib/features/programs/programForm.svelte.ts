import { readObject, withValue } from '$lib/domain';
import { SignatureForm } from './signatureForm.svelte';

/** The text of the open document, whose undo history covers the form. */
export interface ProgramText {
  readonly edition: number;
  readonly replacement: number;
  text: () => string;
  replace: (text: string) => void;
}

type Json = Record<string, unknown>;
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A program's JSON as fields. It has no state of its own: it reads and writes the text. */
export class ProgramForm {
  readonly #source: ProgramText;
  readonly #object = $derived.by<Json | null>(() => {
    void this.#source.edition;
    void this.#source.replacement;
    return readObject(this.#source.text());
  });
  readonly readable = $derived(this.#object !== null);
  readonly template = $derived(asText(this.#object?.['template_id']));
  readonly signature = new SignatureForm(
    () => asText(this.#object?.['signature']),
    (text) => this.#set(['signature'], text),
  );
  readonly instructions = $derived(asText(this.#object?.['instructions']));
  readonly adapter = $derived<'chat' | 'json'>(this.#object?.['adapter'] === 'json' ? 'json' : 'chat');
  readonly parameters = $derived.by<Json>(() => {
    const value = this.#object?.['parameters'];
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
  });

  constructor(source: ProgramText) {
    this.#source = source;
  }

  /** Removes the parameters that the template doesn't have; null keeps all of them. */
  chooseTemplate(id: string, known: ReadonlySet<string> | null): void {
    let text = withValue(this.#source.text(), ['template_id'], id);
    if (known) for (const key of Object.keys(this.parameters)) if (!known.has(key)) text = withValue(text, ['parameters', key], undefined);
    this.#put(text);
  }

  setInstructions(text: string): void {
    this.#set(['instructions'], text === '' ? undefined : text);
  }

  setAdapter(adapter: 'chat' | 'json'): void {
    this.#set(['adapter'], adapter === 'chat' ? undefined : adapter);
  }

  setParameter(key: string, value: unknown): void {
    this.#set(['parameters', key], value);
  }

  #set(path: readonly string[], value: unknown): void {
    this.#put(withValue(this.#source.text(), path, value));
  }

  #put(text: string): void {
    if (text !== this.#source.text()) this.#source.replace(text);
  }
}
