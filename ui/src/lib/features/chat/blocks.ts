/** A block that is longer is divided, so that no frame renders much more than this. */
const MAX_BLOCK_CHARS = 16 * 1024;

/** Number of blocks in a group. */
const GROUP_SIZE = 32;

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*/;
const LIST_ITEM = /^([-*+]|\d+[.)])\s/;

/**
 * Divides Markdown into blocks. While a text arrives, only its last block is read and rendered again. Lists and fenced code are one
 * block unless they are very long; then code goes on in another fence, and a list at one of its items. Tables always stay whole.
 *
 * The blocks come in groups, of which only the last one changes, so that a frame doesn't look at thousands of blocks.
 */
export class BlockSplitter {
  #text = '';
  /** Full groups of blocks that later text doesn't change. */
  #groups: string[][] = [];
  /** The unchanging blocks after them. */
  #finished: string[] = [];
  /** Where the block after them begins. */
  #start = 0;
  /** The line that opened the fence in which it begins. */
  #fence: string | null = null;

  split(text: string): string[][] {
    if (!text.startsWith(this.#text)) [this.#groups, this.#finished, this.#start, this.#fence] = [[], [], 0, null];
    this.#text = text;
    let [start, from] = [this.#start, this.#fence];
    let fence = from;
    let blank = false;
    const blocks: string[] = [];
    const end = (at: number): void => {
      const body = text.slice(start, at);
      blocks.push((from === null ? '' : `${from}\n`) + (fence === null ? body.replace(/\n$/, '') : `${body.replace(/\n$/, '')}\n${markOf(fence)}`));
      [start, from] = [at, fence];
    };
    for (let at = start; at < text.length; ) {
      const next = endOfLine(text, at);
      const line = text.slice(at, next);
      const long = next - start > MAX_BLOCK_CHARS;
      if (at > start && (fence === null ? (blank && startsBlock(line)) || (long && mayDivide(text, at, line)) : long)) {
        end(at);
        // A line that hasn't arrived as a whole may still turn out to belong to the block before.
        if (line.endsWith('\n')) {
          this.#finished.push(...blocks.splice(0));
          [this.#start, this.#fence] = [start, from];
        }
      }
      const mark = FENCE.exec(line)?.[1];
      if (fence === null) fence = mark === undefined ? null : line.trimEnd();
      else if (mark?.startsWith(markOf(fence)) && line.trim() === mark) fence = null;
      blank = line.trim() === '';
      at = next;
    }
    const rest = text.slice(start);
    if (rest.trim() !== '') blocks.push(from === null ? rest : `${from}\n${rest}`);
    while (this.#finished.length >= GROUP_SIZE) this.#groups.push(this.#finished.splice(0, GROUP_SIZE));
    const last = [...this.#finished, ...blocks];
    return last.length > 0 ? [...this.#groups, last] : [...this.#groups];
  }
}

const markOf = (fence: string): string => FENCE.exec(fence)?.[1] ?? '';

/** The end of a line with its break, or of its next part if it is very long. */
function endOfLine(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  const end = found < 0 ? text.length : found + 1;
  if (end - at <= MAX_BLOCK_CHARS) return end;
  const space = text.lastIndexOf(' ', at + MAX_BLOCK_CHARS - 1);
  return space > at ? space + 1 : at + MAX_BLOCK_CHARS;
}

/** What follows a blank line and isn’t part of a list. */
function startsBlock(line: string): boolean {
  return line.trim() !== '' && !/^(\s|[-*+]\s|\d+[.)]\s|\||<)/.test(line);
}

/** Whether a very long block may be divided before this line. */
function mayDivide(text: string, at: number, line: string): boolean {
  return LIST_ITEM.test(line) || text[at - 1] !== '\n' || !/^\s|^[|<>]|\n[|>]/.test(line);
}
