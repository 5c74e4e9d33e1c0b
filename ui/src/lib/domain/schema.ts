// Form fields for JSON schemas: of module types, optimizers and the manifest.

interface Common {
  key: string;
  /** "Max calls" */
  label: string;
  help: string;
  default: unknown;
  /** Whether its object needs it. */
  required: boolean;
}

interface Choices {
  choices: string[];
  /** What each choice means, if the schema says so. */
  about: Readonly<Record<string, string>>;
}

export type SchemaField = Common &
  (
    | { kind: 'number'; integer: boolean; min: number | null; max: number | null }
    | { kind: 'switch' }
    /** `known` are suggestions. */
    | { kind: 'text'; known: string[] }
    | ({ kind: 'choice' } & Choices)
    | ({ kind: 'several'; min: number } & Choices)
    /** Any other type, typed as JSON. */
    | { kind: 'json' }
  );

/** Fields of the form of a whole object: lists and objects have fields of their own. */
export type TreeField = SchemaField | ListField | ObjectField;
/** The item's key is empty. */
export type ListField = Common & { kind: 'list'; item: TreeField };
export type ObjectField = Common & { kind: 'object'; fields: TreeField[] };

type Json = Record<string, unknown>;
const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {});
const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const asTexts = (value: unknown): string[] | null => (Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : null);
const asList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asObject) : []);

/** The fields of an object's schema, in its order. Values that have no field of their own are typed as JSON. */
export function fieldsOf(schema: unknown): SchemaField[] {
  return treeOf(schema).map(({ key, label, help, default: value, required, ...field }) => {
    const common = { key, label, help, default: value, required };
    return field.kind === 'list' || field.kind === 'object' ? { ...common, kind: 'json' } : { ...common, ...field };
  });
}

/** The fields of an object's schema, in its order. */
export function treeOf(schema: unknown): TreeField[] {
  const definitions = asObject(asObject(schema)['$defs']);
  const resolve = (node: unknown): Json => {
    const { $ref, ...own } = asObject(node);
    const name = typeof $ref === 'string' ? $ref.replace(/^#\/\$defs\//, '') : null;
    return notNull(name === null ? own : { ...asObject(definitions[name]), ...own });
  };
  const fields = (object: Json): TreeField[] => {
    const required = asTexts(object['required']) ?? [];
    return Object.entries(asObject(object['properties'])).map(([key, node]) => field(key, resolve(node), required.includes(key)));
  };
  const field = (key: string, one: Json, required: boolean): TreeField => {
    const help = asText(one['description']);
    const common: Common = { key, label: labelOf(key), help, default: one['default'], required };
    const choices = choicesOf(one);
    if (choices) return { ...common, kind: 'choice', ...choices };
    switch (one['type']) {
      case 'integer':
      case 'number':
        return { ...common, kind: 'number', integer: one['type'] === 'integer', min: asNumber(one['minimum']), max: asNumber(one['maximum']) };
      case 'boolean':
        return { ...common, kind: 'switch' };
      case 'string':
        return { ...common, kind: 'text', known: asList(one['anyOf']).flatMap((form) => asTexts(form['enum']) ?? []) };
      case 'array': {
        const items = resolve(one['items']);
        const several = choicesOf(items);
        if (several) return { ...common, kind: 'several', ...several, min: asNumber(one['minItems']) ?? 0 };
        return { ...common, kind: 'list', item: field('', items, true) };
      }
      case 'object':
        return one['properties'] === undefined ? { ...common, kind: 'json' } : { ...common, kind: 'object', fields: fields(one) };
      default:
        return { ...common, kind: 'json' };
    }
  };
  return fields(asObject(schema));
}

/** A value that may be null may be left out, which is how a form writes it. */
function notNull(node: Json): Json {
  const types = asTexts(node['type'])?.filter((type) => type !== 'null');
  if (types?.length === 1) return { ...node, type: types[0] };
  const forms = asList(node['anyOf']);
  const [form, ...others] = forms.filter(({ type }) => type !== 'null');
  return form && others.length === 0 && forms.length === 2 ? { ...form, ...node, anyOf: form['anyOf'] } : node;
}

/** The words of an enumeration: a list, or alternatives with descriptions. */
function choicesOf(node: Json): Choices | null {
  const words = asTexts(node['enum']);
  if (words) return { choices: words, about: {} };
  const forms = asList(node['oneOf']);
  const constants = asTexts(forms.map((form) => form['const']));
  if (!constants || constants.length === 0) return null;
  return { choices: constants, about: Object.fromEntries(constants.map((word, at) => [word, asText(forms[at]?.['description'])])) };
}

/** "max_labeled_demos" or "maxLabeledDemos" as "Max labeled demos". */
export function labelOf(key: string): string {
  const words = key.replace(/[_-]/g, ' ').replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
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
