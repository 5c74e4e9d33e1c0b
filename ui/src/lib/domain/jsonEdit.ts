// Edits of a JSON text that leave everything else of it as it was written: order, spacing, numbers, unknown keys.

interface Member {
  key: string;
  /** Where the key's quote stands, and where the value ends. */
  from: number;
  to: number;
  value: number;
}

interface Found {
  open: number;
  close: number;
  members: Member[];
}

type Path = readonly string[];

/** The text as an object; null when it is none. */
export function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/**
 * Sets a value, or removes it with `undefined`. Objects on the way are made; an object that is left empty goes. The text must be an
 * object: anything else comes back as it was.
 */
export function withValue(text: string, path: Path, value: unknown): string {
  if (readObject(text) === null) return text;
  return edit(text, text.indexOf('{'), path, value, unitOf(text), 1);
}

function edit(text: string, open: number, [key = '', ...rest]: Path, value: unknown, unit: string, depth: number): string {
  const object = objectAt(text, open);
  // Written twice, the last one counts.
  const member = object.members.findLast((one) => one.key === key);
  if (rest.length > 0 && member && text[member.value] === '{') {
    const inner = objectAt(text, member.value);
    const last = value === undefined && rest.length === 1 && inner.members.every((one) => one.key === rest[0]) && inner.members.length > 0;
    return last ? remove(text, object, member) : edit(text, member.value, rest, value, unit, depth + 1);
  }
  if (value === undefined) return member && rest.length === 0 ? remove(text, object, member) : text;
  const whole = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const written = JSON.stringify(whole, null, unit).split('\n').join(`${lineBreak}${unit.repeat(depth)}`);
  if (member) return text.slice(0, member.value) + written + text.slice(member.to);
  return insert(text, object, `${JSON.stringify(key)}: ${written}`, { lineBreak, unit, depth });
}

function insert(text: string, { open, close, members }: Found, written: string, { lineBreak, unit, depth }: { lineBreak: string; unit: string; depth: number }): string {
  const last = members.at(-1);
  if (!last) return `${text.slice(0, open + 1)}${lineBreak}${unit.repeat(depth)}${written}${lineBreak}${unit.repeat(depth - 1)}${text.slice(close)}`;
  const before = /\s*$/.exec(text.slice(0, last.from))?.[0] ?? '';
  const between = members.length > 1 || before !== '' ? before : ' ';
  return `${text.slice(0, last.to)},${between}${written}${text.slice(last.to)}`;
}

function remove(text: string, { members }: Found, member: Member): string {
  const at = members.indexOf(member);
  const [before, after] = [members[at - 1], members[at + 1]];
  if (before) return text.slice(0, before.to) + text.slice(member.to);
  return after ? text.slice(0, member.from) + text.slice(after.from) : text.slice(0, member.from).trimEnd() + text.slice(member.to).trimStart();
}

/** The indentation that the text has, two blanks where it has none. */
const unitOf = (text: string): string => /^\s*\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';

/** The members of the object that begins at `open`. The text is known to be good JSON. */
function objectAt(text: string, open: number): Found {
  const members: Member[] = [];
  let at = skip(text, open + 1);
  while (text[at] === '"') {
    const from = at;
    at = valueEnd(text, at);
    const key = JSON.parse(text.slice(from, at)) as string;
    const value = skip(text, skip(text, at) + 1);
    at = valueEnd(text, value);
    members.push({ key, from, value, to: at });
    at = skip(text, at);
    if (text[at] === ',') at = skip(text, at + 1);
  }
  return { open, close: at, members };
}

function skip(text: string, at: number): number {
  let to = at;
  while (/\s/.test(text.charAt(to))) to += 1;
  return to;
}

function valueEnd(text: string, at: number): number {
  const first = text[at];
  if (first === '"') {
    let to = at + 1;
    while (text[to] !== '"') to += text[to] === '\\' ? 2 : 1;
    return to + 1;
  }
  if (first !== '{' && first !== '[') return at + (/^[^\s,\]}]+/.exec(text.slice(at))?.[0].length ?? 0);
  let [to, depth] = [at, 0];
  do {
    const letter = text[to];
    if (letter === '"') {
      to = valueEnd(text, to);
      continue;
    }
    if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    to += 1;
  } while (depth > 0 && to < text.length);
  return to;
}
