import { isRecord, JsonDocument, type JsonPath, type TextSource, WITH_COMMENTS, withItem, withValue } from '$lib/domain';

const ROOT = ['metadata', 'manifest'] as const;
const VERSION = 1;

/** Why the manifest can't be edited as a form. */
export interface Obstacle {
  message: string;
  /** Where the text is broken; null if it isn't. */
  at: { line: number; column: number } | null;
}

/** The manifest in the text of `skill.json`, by its values. Paths are those in the manifest. */
export class ManifestForm {
  readonly #json: JsonDocument;
  readonly obstacle = $derived.by(() => this.#obstacle());

  constructor(source: TextSource) {
    this.#json = new JsonDocument(source, WITH_COMMENTS);
  }

  /** Of a broken text, as much as could be read. */
  value = (path: JsonPath): unknown => this.#json.at([...ROOT, ...path]);

  /** `undefined` removes the value. */
  set(path: JsonPath, value: unknown, typed = false): void {
    if (value === undefined) this.#json.set([...ROOT, ...path], undefined, typed);
    else this.#change((text) => withValue(text, [...ROOT, ...path], value, WITH_COMMENTS), typed);
  }

  /** Adds an item to a list. */
  append(path: JsonPath, value: unknown): void {
    this.#change((text) => withItem(text, [...ROOT, ...path], value, WITH_COMMENTS));
  }

  /** Moves an item of a list. */
  move(path: JsonPath, from: number, to: number): void {
    this.#json.move([...ROOT, ...path], from, to);
  }

  /** The first edit of a text without a manifest makes one. */
  #change(edit: (text: string) => string, typed = false): void {
    const version = this.value(['version']);
    this.#json.change((text) => edit(version === undefined ? withValue(text, [...ROOT, 'version'], VERSION, WITH_COMMENTS) : text), typed);
  }

  #obstacle(): Obstacle | null {
    const { problem } = this.#json;
    if (problem) return { message: `${problem.message} at line ${problem.line}, column ${problem.column}`, at: { line: problem.line, column: problem.column } };
    const because = (message: string): Obstacle => ({ message, at: null });
    if (!this.#json.isObject) return because('the file must be a JSON object');
    for (const path of [['metadata'], ROOT]) {
      const value = this.#json.at(path);
      if (value !== undefined && !isRecord(value)) return because(`${path.join('.')} must be an object`);
    }
    const version = this.value(['version']);
    return version === undefined || version === VERSION ? null : because(`manifest version ${JSON.stringify(version)} isn’t supported`);
  }
}
