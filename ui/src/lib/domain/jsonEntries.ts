import { createScanner, type Node } from 'jsonc-parser';

/** A member of an object or an item of a list, with what is written around it. */
export interface Entry {
  /** Null for items of lists. */
  key: string | null;
  index: number;
  value: Node;
  /** Start of the key or value. */
  from: number;
  to: number;
  /** Start of the comments above it; `from` without any. */
  lead: number;
  /** End of its comma and of the comments beside it; `to` without any. */
  trail: number;
  /** The comma after it. */
  comma: number | null;
}

export const endOf = (node: Node): number => node.offset + node.length;

export const isContainer = ({ type }: Node): boolean => type === 'object' || type === 'array';

/** Empty for other values. */
export function entriesOf(text: string, container: Node): Entry[] {
  if (!isContainer(container)) return [];
  const found = (container.children ?? []).flatMap((child): Pick<Entry, 'key' | 'value' | 'from' | 'to'>[] => {
    if (container.type === 'array') return [{ key: null, value: child, from: child.offset, to: endOf(child) }];
    const [key, value] = child.children ?? [];
    return key && value ? [{ key: String(key.value), from: child.offset, to: endOf(value), value }] : [];
  });
  const end = endOf(container) - 1;
  const gaps = [container.offset + 1, ...found.map(({ to }) => to)].map((from, at) => gapOf(text, from, found[at]?.from ?? end, at < found.length));
  return found.map((entry, index) => {
    const [above, below] = [gaps[index], gaps[index + 1]];
    return { ...entry, index, lead: above?.lead ?? entry.from, trail: below?.trail ?? entry.to, comma: below?.comma ?? null };
  });
}

/** Between two entries, or before the first or after the last one. Comments of the first line belong to the entry before, the others to the one after. */
function gapOf(text: string, from: number, to: number, hasNext: boolean): Pick<Entry, 'lead' | 'trail' | 'comma'> {
  const scanner = createScanner(text);
  scanner.setPosition(from);
  let [lead, trail, isSameLine] = [to, from, true];
  let comma: number | null = null;
  const comments: number[] = [];
  // Only commas, comments, line breaks and other white space are here.
  for (scanner.scan(); scanner.getTokenOffset() < to; scanner.scan()) {
    const at = scanner.getTokenOffset();
    const first = text.charAt(at);
    if (/[\r\n]/.test(first)) isSameLine = false;
    if (first !== ',' && first !== '/') continue;
    if (first === ',') comma = at;
    else comments.push(at);
    if (isSameLine) trail = at + scanner.getTokenLength();
    else if (first === '/') lead = Math.min(lead, at);
  }
  if (isSameLine && hasNext) {
    // All on one line: comments after the comma are about the next entry.
    trail = comma === null ? from : comma + 1;
    lead = comments.find((at) => at >= trail) ?? to;
  }
  return { lead, trail, comma };
}
