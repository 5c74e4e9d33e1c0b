// Edits of a JSON text that leave everything else as it was written: order, spacing, comments, number formats, unknown keys. jsonc-parser
// says where things are. Its own `modify` isn't used: it reformats the lines it touches, so one new key would break up a whole object.
import type { Node } from 'jsonc-parser';
import { entriesOf, type Entry, endOf, isContainer } from './jsonEntries';
import { BOM, type JsonDialect, parseJson, STRICT } from './jsonParse';

/** Keys of objects and indexes of lists. */
export type JsonPath = readonly (string | number)[];

interface Layout {
  unit: string;
  lineBreak: string;
}

/**
 * Sets a value, or removes it with `undefined`. Missing objects on the path are created; an object or list that is left empty is removed,
 * unless it is an item of a list. Text that isn't an object, or has errors, is returned unchanged.
 */
export function withValue(text: string, path: JsonPath, value: unknown, dialect: JsonDialect = STRICT): string {
  return edit(text, dialect, (body, root, layout) => (value === undefined ? withoutEntry(body, root, path) : written(body, root, path, value, layout)));
}

/** Adds an item at the end of a list, which is created if it is missing. */
export function withItem(text: string, path: JsonPath, value: unknown, dialect: JsonDialect = STRICT): string {
  return edit(text, dialect, (body, root, layout) => {
    const list = nodeAt(body, root, path);
    return list?.type === 'array' ? inserted(body, list, stringify(value, layout, path.length + 1), layout, path.length + 1) : written(body, root, path, [value], layout);
  });
}

/** Moves an item of a list to another index, with the comments above and beside it. */
export function withMoved(text: string, path: JsonPath, from: number, to: number, dialect: JsonDialect = STRICT): string {
  const step = from < to ? 1 : -1;
  let moved = text;
  for (let at = from; at !== to; at += step) {
    moved = edit(moved, dialect, (body, root) => {
      const list = nodeAt(body, root, path);
      return list?.type === 'array' ? swapped(body, entriesOf(body, list), Math.min(at, at + step)) : body;
    });
  }
  return moved;
}

function edit(text: string, dialect: JsonDialect, change: (body: string, root: Node, layout: Layout) => string): string {
  if (text.startsWith(BOM)) return BOM + edit(text.slice(1), dialect, change);
  const { root, problem } = parseJson(text, dialect);
  if (root?.type !== 'object' || problem) return text;
  return change(text, root, { unit: indentationOf(text), lineBreak: text.includes('\r\n') ? '\r\n' : '\n' });
}

// A parser takes the last of duplicate keys.
const entryAt = (entries: readonly Entry[], step: string | number): Entry | undefined =>
  typeof step === 'number' ? entries.find(({ key, index }) => key === null && index === step) : entries.findLast(({ key }) => key === step);

function nodeAt(text: string, root: Node, path: JsonPath): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => node && entryAt(entriesOf(text, node), step)?.value, root);
}

function written(text: string, object: Node, path: JsonPath, value: unknown, layout: Layout, depth = 1): string {
  const [step, ...rest] = path;
  if (step === undefined) return text;
  const entry = entryAt(entriesOf(text, object), step);
  if (rest.length > 0 && entry && isContainer(entry.value)) return written(text, entry.value, rest, value, layout, depth + 1);
  if (rest.some((one) => typeof one === 'number')) return text;
  const whole = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  if (entry) return text.slice(0, entry.value.offset) + stringify(whole, layout, depth) + text.slice(entry.to);
  if (typeof step === 'number' || object.type !== 'object') return text;
  return inserted(text, object, `${JSON.stringify(step)}: ${stringify(whole, layout, depth)}`, layout, depth);
}

/** Inserts an entry at the end of an object or list. */
function inserted(text: string, container: Node, entry: string, { lineBreak, unit }: Layout, depth: number): string {
  const entries = entriesOf(text, container);
  const last = entries.at(-1);
  const newLine = `${lineBreak}${unit.repeat(depth)}`;
  if (!last) {
    // Comments stay.
    const from = container.offset + text.slice(container.offset, endOf(container) - 1).trimEnd().length;
    return `${text.slice(0, from)}${newLine}${entry}${lineBreak}${unit.repeat(depth - 1)}${text.slice(endOf(container) - 1)}`;
  }
  const before = /\s*$/.exec(text.slice(0, last.from))?.[0] ?? '';
  const beside = text.slice(last.to, last.trail);
  const between = beside.includes('//') && !before.includes('\n') ? newLine : entries.length > 1 || before !== '' ? before : ' ';
  if (last.comma !== null) return `${text.slice(0, tailOf(last))}${between}${entry},${text.slice(tailOf(last))}`;
  return `${text.slice(0, last.to)},${beside}${between}${entry}${text.slice(last.trail)}`;
}

/** Without the entry at a path, and without the objects and lists that would be left empty by that. */
function withoutEntry(text: string, root: Node, path: JsonPath): string {
  const chain: { entries: Entry[]; entry: Entry }[] = [];
  for (let node: Node = root, at = 0; at < path.length; at += 1) {
    const entries = entriesOf(text, node);
    const entry = entryAt(entries, path[at] ?? '');
    if (!entry) return text;
    chain.push({ entries, entry });
    node = entry.value;
  }
  let at = chain.length - 1;
  while (at > 0 && chain[at]?.entries.length === 1 && typeof path[at - 1] === 'string') at -= 1;
  const link = chain[at];
  return link ? removed(text, link.entries, link.entry) : text;
}

function removed(text: string, entries: readonly Entry[], entry: Entry): string {
  const [before, after] = [entries[entry.index - 1], entries[entry.index + 1]];
  if (after) return text.slice(0, entry.lead) + text.slice(after.lead);
  const rest = text.slice(tailOf(entry));
  if (!before) {
    const head = text.slice(0, entry.lead).trimEnd();
    if (/[[{]$/.test(head) && /^\s*[\]}]/.test(rest)) return head + rest.trimStart();
    // Other comments remain.
    return (/^[ \t]*\r?\n/.test(rest) ? head : text.slice(0, entry.lead)) + rest;
  }
  // A comma after the last entry stays one.
  if (entry.comma !== null || before.comma === null) return text.slice(0, tailOf(before)) + rest;
  return text.slice(0, before.comma) + text.slice(before.comma + 1, tailOf(before)) + rest;
}

/** Swaps an item with the next one. Commas and line breaks stay where they are. */
function swapped(text: string, items: readonly Entry[], at: number): string {
  const [one, other] = [items[at], items[at + 1]];
  if (!one || !other) return text;
  const endsLine = (offset: number): boolean => /^[ \t]*(?:\r?\n|$)/.test(text.slice(offset));
  // A line comment must stay at the end of a line.
  const movesBeside = endsLine(one.trail) && endsLine(other.trail);
  const parts = (item: Entry): { whole: string; comma: string; beside: string } => {
    const isInLine = item.comma !== null && item.comma < item.trail;
    const end = isInLine && item.comma !== null ? item.comma : item.to;
    return { whole: text.slice(item.lead, end), comma: isInLine ? ',' : '', beside: text.slice(isInLine ? end + 1 : end, item.trail) };
  };
  const [first, second] = [parts(one), parts(other)];
  return [
    text.slice(0, one.lead),
    second.whole, first.comma, movesBeside ? second.beside : first.beside,
    text.slice(one.trail, other.lead),
    first.whole, second.comma, movesBeside ? first.beside : second.beside,
    text.slice(other.trail),
  ].join('');
}

/** End of its comma and of the comments beside it, wherever the comma is. */
const tailOf = ({ comma, trail }: Entry): number => Math.max(trail, comma === null ? 0 : comma + 1);

const stringify = (value: unknown, { unit, lineBreak }: Layout, depth: number): string =>
  JSON.stringify(value, null, unit).split('\n').join(`${lineBreak}${unit.repeat(depth)}`);

/** Two spaces where the text has no indentation. */
const indentationOf = (text: string): string => /^\s*\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
