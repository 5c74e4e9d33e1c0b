import { readSignature, type Side, type Signature, signatureProblem, writeSignature } from '$lib/domain';

/** A signature as fields and as text. It has no state of its own: it reads and writes the text. */
export class SignatureForm {
  readonly #read: () => string;
  readonly #write: (text: string) => void;
  readonly text = $derived.by(() => this.#read());
  /** Null when the text can't be shown as fields. */
  readonly value = $derived(readSignature(this.text));
  /** Empty when the text is valid. */
  readonly problem = $derived(signatureProblem(this.text));

  constructor(read: () => string, write: (text: string) => void) {
    this.#read = read;
    this.#write = write;
  }

  setText(text: string): void {
    this.#write(text);
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

  /** Returns the index of the new field. */
  add(side: Side): number {
    const used = new Set([...(this.value?.inputs ?? []), ...(this.value?.outputs ?? [])].map((field) => field.name));
    const stem = side === 'inputs' ? 'input' : 'output';
    let name = stem;
    for (let count = 2; used.has(name); count += 1) name = `${stem}_${count}`;
    this.#change((signature) => signature[side].push({ name, type: 'str' }));
    return (this.value?.[side].length ?? 1) - 1;
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
    const signature = readSignature(this.text);
    if (!signature) return;
    change(signature);
    this.#write(writeSignature(signature));
  }
}
