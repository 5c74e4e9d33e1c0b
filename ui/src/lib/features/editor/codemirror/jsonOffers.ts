import type { Symbols } from '$lib/api/generated';
import type { SkillName } from '../help';

// Completions for JSON files with a known schema. The text before the cursor is scanned by hand, since a text that is being typed isn't valid
// JSON.

type Step = string | number;

export interface JsonPosition {
  /** Path of the value, or of the object whose key is expected. */
  path: Step[];
  expects: 'key' | 'value';
  /** Start of the current word, with its opening quote. */
  from: number;
  quoted: boolean;
  /** Keys of the object before the position. */
  taken: string[];
}

interface Level {
  list: boolean;
  index: number;
  key: string | null;
  /** Whether a colon was read, so that a value follows. */
  expectsValue: boolean;
  keys: string[];
}

export function jsonPosition(before: string): JsonPosition | null {
  const levels: Level[] = [];
  let quote = -1;
  const path = (): Step[] => levels.flatMap((level): Step[] => (level.list ? [level.index] : level.expectsValue && level.key !== null ? [level.key] : []));
  for (let at = 0; at < before.length; at += 1) {
    const char = before[at];
    const level = levels.at(-1);
    if (char === '/' && before[at + 1] === '/') {
      const end = before.indexOf('\n', at);
      if (end < 0) return null;
      at = end;
    } else if (char === '"') {
      let end = at + 1;
      while (end < before.length && before[end] !== '"') end += before[end] === '\\' ? 2 : 1;
      if (end >= before.length) {
        quote = at;
        break;
      }
      if (level && !level.list && !level.expectsValue) level.key = before.slice(at + 1, end);
      at = end;
    } else if (char === '{' || char === '[') {
      levels.push({ list: char === '[', index: 0, key: null, expectsValue: false, keys: [] });
    } else if (char === '}' || char === ']') {
      levels.pop();
    } else if (char === ':' && level) {
      level.expectsValue = true;
      if (level.key !== null) level.keys.push(level.key);
    } else if (char === ',' && level) {
      level.index += 1;
      [level.expectsValue, level.key] = [false, null];
    }
  }
  const inner = levels.at(-1);
  if (!inner) return null;
  const word = quote >= 0 ? 0 : (/[\w.-]*$/.exec(before)?.[0].length ?? 0);
  const expects = inner.list || inner.expectsValue ? 'value' : 'key';
  return { path: path(), expects, from: quote >= 0 ? quote : before.length - word, quoted: quote >= 0, taken: inner.keys };
}

export interface Shape {
  description?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  enum?: unknown[];
  const?: unknown;
  type?: string | string[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  required?: string[];
}

const choices = (shape: Shape): Shape[] => [shape, ...[...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap(choices)];

/** The schemas that apply at a path. */
export function shapesAt(root: Shape, path: readonly Step[]): Shape[] {
  let shapes = choices(root);
  for (const step of path) {
    const next = shapes.flatMap((shape) => (typeof step === 'number' ? shape.items : shape.properties?.[step]) ?? []);
    shapes = next.flatMap(choices);
  }
  return shapes;
}

export interface JsonOffer {
  label: string;
  detail?: string;
  about?: string;
  /** JSON to insert. For a key, without colon and value. */
  json: string;
  /** The value to insert after a new key, as a snippet with `${}` at the cursor. */
  value?: string;
}

const types = ({ type }: Shape): string[] => (typeof type === 'string' ? [type] : (type ?? []));

function emptyOf(shapes: readonly Shape[]): string {
  const all = shapes.flatMap(types);
  if (shapes.some((shape) => shape.enum ?? shape.oneOf) || all.includes('string')) return '"${}"';
  if (all.includes('array')) return '[${}]';
  if (all.includes('object')) return '{${}}';
  return '${}';
}

const about = (shapes: readonly Shape[]): string => shapes.find((shape) => shape.description !== undefined)?.description ?? '';

/** Names of the skill that fit the value at a path. */
function named(path: readonly Step[], names: Symbols.Names, skills: readonly SkillName[]): JsonOffer[] {
  const text = (label: string, detail = ''): JsonOffer => ({ label, detail, json: JSON.stringify(label) });
  const shape = path.map((step) => (typeof step === 'number' ? '*' : step)).join('/');
  switch (shape) {
    case 'run/*':
      return names.artifacts.filter((one) => names.outputs.some(({ artifact }) => artifact === one.name)).map((one) => text(one.name, one.path));
    case 'artifacts/*/path':
    case 'artifacts/*/state':
      return names.files.filter((file) => file !== 'skill.json').map((file) => text(file));
    case 'artifacts/*/metadata/fallback_artifact':
      return names.artifacts.filter(({ kind }) => kind === 'prompt_template').map((one) => text(one.name, one.path));
    case 'artifacts/*/metadata/params/required/*':
    case 'artifacts/*/metadata/outputs/*':
      return names.variables.map((one) => text(one.name, one.asked_by[0] ?? one.given_by[0] ?? ''));
    case 'relations/depends_on/*':
    case 'relations/conflicts_with/*':
      return skills.map(({ slug, name }) => text(slug, name));
    default:
      return [];
  }
}

export function jsonOffers(position: JsonPosition, root: Shape, names: Symbols.Names, skills: readonly SkillName[]): JsonOffer[] {
  const shapes = shapesAt(root, position.path);
  if (position.expects === 'key') {
    const found = new Map<string, JsonOffer>();
    for (const [label, shape] of shapes.flatMap(({ properties }) => Object.entries(properties ?? {}))) {
      const below = choices(shape);
      if (!position.taken.includes(label) && !found.has(label)) found.set(label, { label, about: about(below), json: JSON.stringify(label), value: emptyOf(below) });
    }
    if (position.path.slice(-2).join('/') === 'params/properties') {
      for (const { name, description } of names.variables) {
        if (!position.taken.includes(name) && !found.has(name)) found.set(name, { label: name, about: description ?? '', json: JSON.stringify(name), value: '{ "type": "${string}", "title": "${}" }' });
      }
    }
    return [...found.values()];
  }
  const words = shapes.flatMap((shape) => [...(shape.enum ?? []), ...('const' in shape ? [shape.const] : []), ...(types(shape).includes('boolean') ? [true, false] : [])]);
  const fixed = words.filter((word) => word !== null).map((word): JsonOffer => ({ label: typeof word === 'string' ? word : JSON.stringify(word), about: shapes.find((shape) => shape.const === word)?.description ?? '', json: JSON.stringify(word) }));
  return [...fixed, ...named(position.path, names, skills)];
}

/** The key at a position and its description. Null if there is no key, or no description. */
export function keyAt(text: string, at: number, root: Shape): { from: number; to: number; name: string; about: string } | null {
  const start = text.lastIndexOf('"', at - 1);
  const found = /^"([^"\\\n]+)"\s*:/.exec(text.slice(start));
  if (start < 0 || !found || at > start + (found[1]?.length ?? 0) + 2) return null;
  const position = jsonPosition(text.slice(0, start + 1));
  if (position?.expects !== 'key') return null;
  const name = found[1] ?? '';
  const description = about(shapesAt(root, [...position.path, name]));
  return description === '' ? null : { from: start, to: start + name.length + 2, name, about: description };
}
