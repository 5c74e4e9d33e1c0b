// Just enough of a template engine to give previews something to show: values, attributes, loops. Not MiniJinja.
import type { Diagnostic, Params, Prompt } from '$lib/api/generated';

type Scope = Record<string, unknown>;

class TemplateError extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
  }
}

function at(source: string, offset: number): [line: number, column: number] {
  const before = source.slice(0, offset).split('\n');
  return [before.length, (before.at(-1)?.length ?? 0) + 1];
}

export function diagnose(source: string): Diagnostic[] {
  try {
    run(source, null);
    return [];
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    return [problem(cause)];
  }
}

function problem({ message, line, column }: TemplateError): Diagnostic {
  return { rule: 'prompt/syntax', severity: 'error', message, hint: 'Close the tag that is open here', file: null, line, column, end_line: null, end_column: null, pointer: null };
}

export function render(source: string, params: Params): { text: string | null; missing: string[]; error: Diagnostic | null } {
  const missing = variablesOf(source).map((one) => one.name).filter((name) => !(name in params));
  try {
    return { text: missing.length > 0 ? null : run(source, params), missing, error: null };
  } catch (cause) {
    if (!(cause instanceof TemplateError)) throw cause;
    return { text: null, missing, error: problem(cause) };
  }
}

export function variablesOf(source: string): Prompt.Variable[] {
  const found = new Map<string, Prompt.Variable>();
  const items = new Map<string, string>([['loop', '']]);
  const add = (name: string, shape: Prompt.Variable['shape']): Prompt.Variable => {
    const known: Prompt.Variable = found.get(name) ?? { name, shape, fields: [], optional: false };
    if (shape !== 'text') known.shape = shape;
    found.set(name, known);
    return known;
  };
  for (const match of source.matchAll(/\{%-?\s*for\s+(\w+)\s+in\s+(\w+)|\{\{-?\s*(\w+)(?:\.(\w+))?/g)) {
    const [, item, list, name, field] = match;
    if (item && list) {
      add(list, 'list');
      items.set(item, list);
    } else if (name && items.has(name)) {
      const fields = found.get(items.get(name) ?? '')?.fields;
      if (field && fields && !fields.includes(field)) fields.push(field);
    } else if (name) {
      const variable = add(name, field ? 'object' : 'text');
      if (field && !variable.fields.includes(field)) variable.fields.push(field);
    }
  }
  return [...found.values()];
}

function run(source: string, params: Params | null): string {
  const tokens = [...source.matchAll(/\{%-?\s*(.*?)\s*-?%\}|\{\{-?\s*(.*?)\s*-?\}\}|\{[%{](?![\s\S]*[%}]\})/gs)];
  const walk = (from: number, text: number, scope: Scope | null): [next: number, end: number, out: string] => {
    let out = '';
    let index = from;
    let position = text;
    while (index < tokens.length) {
      const token = tokens[index];
      if (!token) break;
      out += source.slice(position, token.index);
      position = token.index + token[0].length;
      index += 1;
      const [statement, expression] = [token[1], token[2]];
      if (statement === undefined && expression === undefined) {
        throw new TemplateError('unexpected end of input, a tag is open', ...at(source, token.index));
      }
      if (expression !== undefined) out += scope ? print(look(expression, scope)) : '';
      else if (statement === 'endfor') return [index, position, out];
      else {
        const loop = /^for\s+(\w+)\s+in\s+(\w+)$/.exec(statement ?? '');
        if (!loop) throw new TemplateError(`unknown statement ${statement ?? ''}`, ...at(source, token.index));
        const values = scope ? scope[loop[2] ?? ''] : null;
        const list: unknown[] = Array.isArray(values) ? values : [];
        let [next, end] = walk(index, position, null);
        for (const [place, value] of list.entries()) {
          const inner: Scope = { ...scope, [loop[1] ?? '']: value, loop: { index: place + 1 } };
          const [after, stop, part] = walk(index, position, inner);
          [next, end] = [after, stop];
          out += part;
        }
        index = next;
        position = end;
      }
    }
    return [index, source.length, out + source.slice(position)];
  };
  return walk(0, 0, params)[2];
}

function look(expression: string, scope: Scope): unknown {
  let value: unknown = scope;
  for (const part of expression.split('.')) {
    value = typeof value === 'object' && value !== null ? (value as Scope)[part.trim()] : undefined;
  }
  return value;
}

const print = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));
