import { readObject, readSignature, type Side, type Signature, signatureProblem, withValue, writeSignature } from '$lib/domain';

/** The text that a form edits: the same that the editor shows, so that each edit can be undone there. */
export interface ProgramText {
  readonly edition: number;
  readonly replacement: number;
  text: () => string;
  replace: (text: string) => void;
}

type Json = Record<string, unknown>;
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A program's JSON as fields. It has no state of its own: what is typed goes into the text, and what is shown is read from there. */
export class ProgramForm {
  readonly #source: ProgramText;
  readonly #object = $derived.by<Json | null>(() => {
    void this.#source.edition;
    void this.#source.replacement;
    return readObject(this.#source.text());
  });
  readonly readable = $derived(this.#object !== null);
  readonly template = $derived(asText(this.#object?.['template_id']));
  readonly signatureText = $derived(asText(this.#object?.['signature']));
  /** Null when it can't be shown as fields. */
  readonly signature = $derived(readSignature(this.signatureText));
  readonly problem = $derived(signatureProblem(this.signatureText));
  readonly instructions = $derived(asText(this.#object?.['instructions']));
  readonly adapter = $derived<'chat' | 'json'>(this.#object?.['adapter'] === 'json' ? 'json' : 'chat');
  readonly parameters = $derived.by<Json>(() => {
    const value = this.#object?.['parameters'];
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
  });

  constructor(source: ProgramText) {
    this.#source = source;
  }

  /** Another template has other parameters: those that it doesn't know go. Undo brings them back. */
  chooseTemplate(id: string, known: ReadonlySet<string> | null): void {
    let text = withValue(this.#source.text(), ['template_id'], id);
    if (known) for (const key of Object.keys(this.parameters)) if (!known.has(key)) text = withValue(text, ['parameters', key], undefined);
    this.#put(text);
  }

  setSignatureText(text: string): void {
    this.#set(['signature'], text);
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

  rename(side: Side, at: number, name: string): void {
    this.#change((signature) => {
      const field = signature[side][at];
      if (field) field.name = name;
    });
  }

  retype(side: Side, at: number, type: string): void {
    this.#change((signature) => {
      const field = signature[side][at];
      if (field) field.type = type;
    });
  }

  /** Gives its place. */
  add(side: Side): number {
    const taken = new Set([...(this.signature?.inputs ?? []), ...(this.signature?.outputs ?? [])].map((field) => field.name));
    const stem = side === 'inputs' ? 'input' : 'output';
    let name = stem;
    for (let count = 2; taken.has(name); count += 1) name = `${stem}_${count}`;
    this.#change((signature) => signature[side].push({ name, type: 'str' }));
    return (this.signature?.[side].length ?? 1) - 1;
  }

  remove(side: Side, at: number): void {
    this.#change((signature) => signature[side].splice(at, 1));
  }

  move(side: Side, from: number, to: number): void {
    this.#change((signature) => {
      const fields = signature[side];
      const [field] = fields.splice(from, 1);
      if (field) fields.splice(Math.max(0, Math.min(fields.length, to)), 0, field);
    });
  }

  #change(change: (signature: Signature) => unknown): void {
    const signature = readSignature(this.signatureText);
    if (!signature) return;
    change(signature);
    this.setSignatureText(writeSignature(signature));
  }

  #set(path: readonly string[], value: unknown): void {
    this.#put(withValue(this.#source.text(), path, value));
  }

  #put(text: string): void {
    if (text !== this.#source.text()) this.#source.replace(text);
  }
}
