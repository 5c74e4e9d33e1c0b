// Form fields for the JSON schemas of module types and optimizers.

interface Common {
  key: string;
  /** "Max calls" */
  label: string;
  help: string;
  default: unknown;
}

export type SchemaField = Common &
  (
    | { kind: 'number'; integer: boolean; min: number | null; max: number | null }
    | { kind: 'switch' | 'text' }
    | { kind: 'choice'; choices: string[] }
    | { kind: 'several'; choices: string[]; min: number }
    /** Any other type, typed as JSON. */
    | { kind: 'json' }
  );

type Json = Record<string, unknown>;
const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {});
const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const asTexts = (value: unknown): string[] | null => (Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : null);

/** The fields of an object's schema, in its order. */
export function fieldsOf(schema: unknown): SchemaField[] {
  const definitions = asObject(asObject(schema)['$defs']);
  const resolve = (node: unknown): Json => {
    const { $ref, ...own } = asObject(node);
    const name = typeof $ref === 'string' ? $ref.replace(/^#\/\$defs\//, '') : null;
    return name === null ? own : { ...asObject(definitions[name]), ...own };
  };
  return Object.entries(asObject(asObject(schema)['properties'])).map(([key, node]) => {
    const one = resolve(node);
    const common: Common = {
      key,
      label: labelOf(key),
      help: typeof one['description'] === 'string' ? one['description'] : '',
      default: one['default'],
    };
    const choices = asTexts(one['enum']);
    if (choices) return { ...common, kind: 'choice', choices };
    switch (one['type']) {
      case 'integer':
      case 'number':
        return { ...common, kind: 'number', integer: one['type'] === 'integer', min: asNumber(one['minimum']), max: asNumber(one['maximum']) };
      case 'boolean':
        return { ...common, kind: 'switch' };
      case 'string':
        return { ...common, kind: 'text' };
      case 'array': {
        const items = asTexts(resolve(one['items'])['enum']);
        return items ? { ...common, kind: 'several', choices: items, min: asNumber(one['minItems']) ?? 0 } : { ...common, kind: 'json' };
      }
      default:
        return { ...common, kind: 'json' };
    }
  });
}

/** "max_labeled_demos" as "Max labeled demos". */
function labelOf(key: string): string {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The value that was typed into a field, or its problem. An empty field is the default: `value` is undefined. */
export function parseField(field: SchemaField, typed: string): { value: unknown } | { problem: string } {
  const text = typed.trim();
  if (text === '') return { value: undefined };
  if (field.kind === 'number') {
    const number = Number(text);
    const kind = field.integer ? 'a whole number' : 'a number';
    const fits = Number.isFinite(number) && (!field.integer || Number.isInteger(number)) && number >= (field.min ?? -Infinity) && number <= (field.max ?? Infinity);
    return fits ? { value: number } : { problem: `Enter ${kind}${rangeOf(field)}.` };
  }
  if (field.kind !== 'json') return { value: typed };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'Enter a JSON value.' };
  }
}

function rangeOf({ min, max }: { min: number | null; max: number | null }): string {
  if (min !== null && max !== null) return ` from ${min} to ${max}`;
  if (min !== null) return ` of at least ${min}`;
  return max === null ? '' : ` of at most ${max}`;
}

/** Empty if the value fits the schema. */
export function valueProblem(field: SchemaField, value: unknown): string {
  if (value === undefined) return '';
  switch (field.kind) {
    case 'number': {
      const parsed = parseField(field, typeof value === 'number' ? String(value) : 'x');
      return 'problem' in parsed ? parsed.problem : '';
    }
    case 'switch':
      return typeof value === 'boolean' ? '' : 'Must be true or false.';
    case 'text':
      return typeof value === 'string' ? '' : 'Must be a string.';
    case 'choice':
      return typeof value === 'string' && field.choices.includes(value) ? '' : `Choose one of ${field.choices.join(', ')}.`;
    case 'several': {
      const chosen = asTexts(value);
      if (!chosen?.every((one) => field.choices.includes(one))) return `Choose from ${field.choices.join(', ')}.`;
      return chosen.length < field.min ? `Choose at least ${field.min}.` : '';
    }
    case 'json':
      return '';
  }
}
