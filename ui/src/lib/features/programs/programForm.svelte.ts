import { isRecord, JsonDocument, STRICT, type TextSource, withValue } from '$lib/domain';
import { SignatureForm } from './signatureForm.svelte';

type Json = Record<string, unknown>;
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A program's JSON as fields. */
export class ProgramForm {
  readonly #json: JsonDocument;
  readonly readable = $derived.by(() => this.#json.isObject && this.#json.problem === null);
  readonly template = $derived.by(() => asText(this.#json.at(['template_id'])));
  readonly signature = new SignatureForm(
    () => asText(this.#json.at(['signature'])),
    (text) => this.#json.set(['signature'], text, true),
  );
  readonly instructions = $derived.by(() => asText(this.#json.at(['instructions'])));
  readonly adapter = $derived.by<'chat' | 'json'>(() => (this.#json.at(['adapter']) === 'json' ? 'json' : 'chat'));
  readonly parameters = $derived.by<Json>(() => {
    const value = this.#json.at(['parameters']);
    return isRecord(value) ? value : {};
  });

  constructor(source: TextSource) {
    this.#json = new JsonDocument(source, STRICT);
  }

  /** Removes the parameters that the template doesn't have; null keeps all of them. */
  chooseTemplate(id: string, known: ReadonlySet<string> | null): void {
    const unknown = known ? Object.keys(this.parameters).filter((key) => !known.has(key)) : [];
    this.#json.change((text) => unknown.reduce((rest, key) => withValue(rest, ['parameters', key], undefined), withValue(text, ['template_id'], id)));
  }

  setInstructions(text: string): void {
    this.#json.set(['instructions'], text === '' ? undefined : text, true);
  }

  setAdapter(adapter: 'chat' | 'json'): void {
    this.#json.set(['adapter'], adapter === 'chat' ? undefined : adapter);
  }

  setParameter(key: string, value: unknown): void {
    this.#json.set(['parameters', key], value, true);
  }
}
