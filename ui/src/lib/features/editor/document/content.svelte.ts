import { applied } from '$lib/domain';
import type { Check } from '$lib/api/generated';
import { type Buffer, StringBuffer } from './buffer';
import type { StoredFile } from './storedFile.svelte';

/** The text of a document as it is edited. */
export class DocumentContent {
  /** Whether it differs from the stored text. */
  dirty = $state(false);
  /** Counts changes of the text. Observers of the text depend on it and read `text()` when they run. */
  edition = $state(0);
  /** Counts replacements of the buffer, which the editor must follow. */
  replacement = $state(0);
  /** Whether it was edited since it was opened, saved or not. */
  wasEdited = false;
  /** Whether the last replacement was typed, so that undo takes back a run of them at once. */
  wasTyped = false;
  #buffer: Buffer = new StringBuffer('');
  readonly #file: StoredFile;
  readonly #onEdit: () => void;

  constructor(file: StoredFile, onEdit: () => void) {
    this.#file = file;
    this.#onEdit = onEdit;
  }

  /** Its size is known without joining the lines. */
  get buffer(): Buffer {
    return this.#buffer;
  }

  text(): string {
    return this.#buffer.text();
  }

  /** Replaces the plain text by the editor’s buffer. */
  attach(buffer: Buffer): void {
    this.#buffer = buffer;
  }

  /** The editor calls it after each edit of its buffer. */
  edited(): void {
    if (this.#file.text === null) return;
    this.edition += 1;
    this.wasEdited = true;
    this.compareWithStored();
    this.#onEdit();
  }

  /** Replaces the text as one edit; with `typed`, as one of the keys that are typed into a field. */
  replace(text: string, typed = false): void {
    this.wasTyped = typed;
    this.#put(text);
    this.edited();
  }

  /** Shows a text that was stored, as a file or as a draft. */
  load(text: string): void {
    this.wasTyped = false;
    if (this.#put(text)) this.edition += 1;
    this.compareWithStored();
  }

  /** Updates `dirty`, after an edit or after another text was stored. */
  compareWithStored(): void {
    this.dirty = this.#file.text !== null && !this.#buffer.equals(this.#file.text);
  }

  #put(text: string): boolean {
    if (this.#buffer.equals(text)) return false;
    this.#buffer = new StringBuffer(text);
    this.replacement += 1;
    return true;
  }
}

/** Applies the edits of a fix as one undo step. False if they are for another text than the current one. */
export function applyFix(content: DocumentContent, { edits }: Pick<Check.Fix, 'edits'>, expected = content.text()): boolean {
  const text = content.text() === expected ? applied(expected, edits) : null;
  if (text === null) return false;
  content.replace(text);
  return true;
}
