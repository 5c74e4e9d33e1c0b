// Edits of a JSON text that leave everything else as it was written: order, spacing, number formats, unknown keys. jsonc-parser says
// where things are. Its own `modify` isn't used: it reformats the lines it touches, so one new key would break up a whole object.
import { type Node, parseTree } from 'jsonc-parser';

interface Member {
  key: string;
  /** Offsets of the key's quote and of the end of the value. */
  from: number;
  to: number;
  value: Node;
}

type Path = readonly string[];

const BOM = '\uFEFF';

/** The text as an object; null for any other JSON and for broken text. */
export function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.startsWith(BOM) ? text.slice(1) : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/**
 * Sets a value, or removes it with `undefined`. Missing objects on the path are created; an object that is left empty is removed. Text
 * that isn't an object is returned unchanged.
 */
export function withValue(text: string, path: Path, value: unknown): string {
  if (text.startsWith(BOM)) return BOM + withValue(text.slice(1), path, value);
  const root = readObject(text) === null ? undefined : parseTree(text);
  return root ? edit(text, root, path, value, { unit: indentationOf(text), lineBreak: text.includes('\r\n') ? '\r\n' : '\n' }, 1) : text;
}

interface Layout {
  unit: string;
  lineBreak: string;
}

function edit(text: string, object: Node, [key = '', ...rest]: Path, value: unknown, layout: Layout, depth: number): string {
  const members = membersOf(object);
  // A parser takes the last of duplicate keys.
  const member = members.findLast((one) => one.key === key);
  if (rest.length > 0 && member?.value.type === 'object') {
    const inner = membersOf(member.value);
    const emptied = value === undefined && rest.length === 1 && inner.length > 0 && inner.every((one) => one.key === rest[0]);
    return emptied ? remove(text, members, member) : edit(text, member.value, rest, value, layout, depth + 1);
  }
  if (value === undefined) return member && rest.length === 0 ? remove(text, members, member) : text;
  const whole = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const written = JSON.stringify(whole, null, layout.unit).split('\n').join(`${layout.lineBreak}${layout.unit.repeat(depth)}`);
  if (member) return text.slice(0, member.value.offset) + written + text.slice(member.to);
  return insert(text, object, members, `${JSON.stringify(key)}: ${written}`, layout, depth);
}

function insert(text: string, object: Node, members: readonly Member[], written: string, { lineBreak, unit }: Layout, depth: number): string {
  const last = members.at(-1);
  if (!last) return `${text.slice(0, object.offset + 1)}${lineBreak}${unit.repeat(depth)}${written}${lineBreak}${unit.repeat(depth - 1)}${text.slice(endOf(object) - 1)}`;
  const before = /\s*$/.exec(text.slice(0, last.from))?.[0] ?? '';
  const between = members.length > 1 || before !== '' ? before : ' ';
  return `${text.slice(0, last.to)},${between}${written}${text.slice(last.to)}`;
}

function remove(text: string, members: readonly Member[], member: Member): string {
  const at = members.indexOf(member);
  const [before, after] = [members[at - 1], members[at + 1]];
  if (before) return text.slice(0, before.to) + text.slice(member.to);
  return after ? text.slice(0, member.from) + text.slice(after.from) : text.slice(0, member.from).trimEnd() + text.slice(member.to).trimStart();
}

/** Two spaces where the text has no indentation. */
const indentationOf = (text: string): string => /^\s*\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';

const endOf = (node: Node): number => node.offset + node.length;

function membersOf(object: Node): Member[] {
  return (object.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key && value ? [{ key: String(key.value), from: property.offset, to: endOf(property), value }] : [];
  });
}
