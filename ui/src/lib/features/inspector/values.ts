import type { Params, Variable } from '$lib/api/generated';

/** A value as the text of its field: text as it is, anything else as JSON. */
export function asFieldText(value: unknown, shape: Variable['shape']): string {
  if (value === undefined) return '';
  if (shape === 'text' && typeof value === 'string') return value;
  return JSON.stringify(value, null, 2);
}

/** Reads a field. Throws a message for the person when it isn't valid. */
export function parseField(text: string, shape: Variable['shape']): unknown {
  if (shape === 'text') return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`not valid JSON: ${cause instanceof Error ? jsonTrouble(cause.message) : 'check the syntax'}`, { cause });
  }
  if (shape === 'list' && !Array.isArray(value)) throw new Error('expected a list: [ … ]');
  if (shape === 'object' && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    throw new Error('expected an object: { … }');
  }
  return value;
}

const jsonTrouble = (message: string): string => message.replace(/^JSON\.parse: |^JSON Parse error: /, '').replace(/ in JSON/, '');

const mark = (name: string): string => `‹${name}›`;

/** What stands in for an empty field, so that the rest of the prompt can be read. */
export function placeholderOf({ name, shape, fields }: Variable): unknown {
  const record = (): unknown => Object.fromEntries(fields.map((field) => [field, mark(field)]));
  if (shape === 'text') return mark(name);
  if (shape === 'object') return record();
  return [fields.length > 0 ? record() : mark(name)];
}

/** An example to start a field from. */
export function skeletonOf({ shape, fields }: Variable): string {
  const record = Object.fromEntries(fields.map((field) => [field, '']));
  if (shape === 'list') return JSON.stringify([fields.length > 0 ? record : ''], null, 2);
  return JSON.stringify(record, null, 2);
}

/** The parameters of a render, and which of them are stand-ins. */
export function paramsFor(variables: readonly Variable[], values: ReadonlyMap<string, unknown>): { params: Params; empty: string[] } {
  const params: Params = {};
  const empty: string[] = [];
  for (const variable of variables) {
    const { name } = variable;
    if (values.has(name)) params[name] = values.get(name);
    else if (variable.default !== null && variable.default !== undefined) params[name] = variable.default;
    else if (!variable.optional) {
      params[name] = placeholderOf(variable);
      empty.push(name);
    }
  }
  // A value for a variable that a half-typed template doesn't use just now is passed on all the same.
  for (const [name, value] of values) params[name] ??= value;
  return { params, empty };
}
