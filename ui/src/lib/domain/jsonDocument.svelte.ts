import { getNodeValue } from 'jsonc-parser';
import { type JsonPath, withItem, withMoved, withValue } from './jsonEdit';
import { type JsonDialect, parseJson } from './jsonParse';
import { isRecord } from './record';

/** The text of an open document, whose undo history covers its form. */
export interface TextSource {
  readonly edition: number;
  readonly replacement: number;
  text: () => string;
  /** With `typed`, undo takes the edit back together with those before it that were typed too. */
  replace: (text: string, typed?: boolean) => void;
}

/** A JSON text as values, for a form. It has no state of its own: it reads and writes the text. */
export class JsonDocument {
  readonly #source: TextSource;
  readonly #dialect: JsonDialect;
  readonly #parsed = $derived.by(() => {
    void this.#source.edition;
    void this.#source.replacement;
    const { root, problem } = parseJson(this.#source.text(), this.#dialect);
    return { value: root && (getNodeValue(root) as unknown), problem };
  });
  /** Null if the text can be edited by its values. Otherwise as many of them as could be read are there. */
  readonly problem = $derived(this.#parsed.problem);
  readonly isObject = $derived(isRecord(this.#parsed.value));

  constructor(source: TextSource, dialect: JsonDialect) {
    this.#source = source;
    this.#dialect = dialect;
  }

  at(path: JsonPath): unknown {
    return path.reduce<unknown>((value, step) => {
      if (Array.isArray(value)) return typeof step === 'number' ? (value[step] as unknown) : undefined;
      return isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }, this.#parsed.value);
  }

  /** `undefined` removes the value. */
  set(path: JsonPath, value: unknown, typed = false): void {
    this.change((text) => withValue(text, path, value, this.#dialect), typed);
  }

  append(path: JsonPath, value: unknown): void {
    this.change((text) => withItem(text, path, value, this.#dialect));
  }

  move(path: JsonPath, from: number, to: number): void {
    this.change((text) => withMoved(text, path, from, to, this.#dialect));
  }

  /** Several edits as one. */
  change(edit: (text: string) => string, typed = false): void {
    const before = this.#source.text();
    const after = edit(before);
    if (after !== before) this.#source.replace(after, typed);
  }
}
