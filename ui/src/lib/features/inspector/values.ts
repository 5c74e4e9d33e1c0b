import type { Params, Prompt } from '$lib/api/generated';
import { newItem } from './structure';

/** The text of a field: text unchanged, anything else as JSON. */
export function asFieldText(value: unknown, shape: Prompt.Variable['shape']): string {
  if (value === undefined) return '';
  if (shape === 'text' && typeof value === 'string') return value;
  return JSON.stringify(value, null, 2);
}

/** Parses the text of a field. Throws an error with a message for the user. */
export function parseField(text: string, shape: Prompt.Variable['shape']): unknown {
  if (shape === 'text') return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`not valid JSON: ${cause instanceof Error ? jsonError(cause.message) : 'check the syntax'}`, { cause });
  }
  if (shape === 'list' && !Array.isArray(value)) throw new Error('expected a list: [ … ]');
  if (shape === 'object' && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    throw new Error('expected an object: { … }');
  }
  return value;
}

const jsonError = (message: string): string => message.replace(/^JSON\.parse: |^JSON Parse error: /, '').replace(/ in JSON/, '');

const placeholder = (name: string): string => `‹${name}›`;

/** The placeholder of an empty field in the preview. */
export function placeholderOf({ name, shape, fields }: Prompt.Variable): unknown {
  const record = (): unknown => Object.fromEntries(fields.map((field) => [field, placeholder(field)]));
  if (shape === 'text') return placeholder(name);
  if (shape === 'object') return record();
  return [fields.length > 0 ? record() : placeholder(name)];
}

/** An example to start a field from. */
export function skeletonOf(variable: Prompt.Variable): string {
  if (variable.shape === 'list') return JSON.stringify([newItem(variable)], null, 2);
  return JSON.stringify(Object.fromEntries(variable.fields.map((field) => [field, ''])), null, 2);
}

/** The parameters of a preview, and the names of those with placeholders. */
export function paramsFor(variables: readonly Prompt.Variable[], values: ReadonlyMap<string, unknown>): { params: Params; empty: string[] } {
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
  // Values of variables that the template doesn’t use at the moment are kept.
  for (const [name, value] of values) params[name] ??= value;
  return { params, empty };
}
