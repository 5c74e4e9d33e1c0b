/** The text being edited: a CodeMirror document, or a plain string until CodeMirror is loaded. */
export interface Buffer {
  readonly length: number;
  readonly lines: number;
  text(): string;
  equals(text: string): boolean;
}

export class StringBuffer implements Buffer {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get length(): number {
    return this.#text.length;
  }

  get lines(): number {
    let count = 1;
    for (let at = this.#text.indexOf('\n'); at >= 0; at = this.#text.indexOf('\n', at + 1)) count += 1;
    return count;
  }

  text(): string {
    return this.#text;
  }

  equals(text: string): boolean {
    return this.#text === text;
  }
}

/** The smallest change that turns `before` into `after`, so that cursors outside of it don't move. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
