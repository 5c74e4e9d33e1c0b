// Signatures of DSPy programs, `question, context: list[str] -> answer: str`, as the core reads them.

export interface SignatureField {
  name: string;
  /** As written; `str` by default. */
  type: string;
}

export interface Signature {
  inputs: SignatureField[];
  outputs: SignatureField[];
}

export type Side = keyof Signature;

/** Names that may occur in types. */
export const TYPE_NAMES = [
  'str', 'int', 'float', 'bool', 'list', 'dict', 'tuple', 'set', 'None', 'Any', 'Optional', 'Union', 'Literal', 'List', 'Dict', 'Tuple',
  'Set', 'date', 'datetime',
] as const;

/** Suggested types; others made of the known names can be typed. */
export const COMMON_TYPES = [
  'str', 'int', 'float', 'bool', 'date', 'datetime', 'list[str]', 'list[int]', 'list[float]', 'dict[str, str]', 'list[dict[str, str]]', 'Optional[str]', "Literal['yes', 'no']",
] as const;

const KEYWORDS = new Set([
  'False', 'None', 'True', 'and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def', 'del', 'elif', 'else', 'except',
  'finally', 'for', 'from', 'global', 'if', 'import', 'in', 'is', 'lambda', 'nonlocal', 'not', 'or', 'pass', 'raise', 'return', 'try',
  'while', 'with', 'yield',
]);

/** Also reads invalid and incomplete signatures. Null if there are more than two sides. */
export function readSignature(text: string): Signature | null {
  const sides = text.split('->');
  if (sides.length > 2) return null;
  return { inputs: fieldsOf(sides[0] ?? ''), outputs: fieldsOf(sides[1] ?? '') };
}

function fieldsOf(side: string): SignatureField[] {
  if (side.trim() === '') return [];
  return parts(side).map((part) => {
    const colon = part.indexOf(':');
    return colon < 0 ? { name: part.trim(), type: 'str' } : { name: part.slice(0, colon).trim(), type: part.slice(colon + 1).trim() };
  });
}

/** Splits at commas outside of brackets and quotes. */
function parts(text: string): string[] {
  const found: string[] = [];
  let [start, depth, quote] = [0, 0, ''];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === "'" || letter === '"') quote = letter;
    else if (letter === '[' || letter === '(') depth += 1;
    else if (letter === ']' || letter === ')') depth = Math.max(0, depth - 1);
    else if (letter === ',' && depth === 0) {
      found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, text.slice(start)];
}

export function writeSignature({ inputs, outputs }: Signature): string {
  const side = (fields: readonly SignatureField[]): string => fields.map(({ name, type }) => `${name}: ${type}`).join(', ');
  return `${side(inputs)} -> ${side(outputs)}`.trim();
}

/** A typed name without characters that would end it. */
export const asName = (typed: string): string => typed.replace(/\s/g, '_').replace(/[^\p{L}\p{N}_]/gu, '');

/** Empty if the name is valid. */
export function nameProblem(name: string, { inputs, outputs }: Signature): string {
  if (name === '') return 'Enter a field name.';
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return 'Use letters, digits and underscores, starting with a letter.';
  if (KEYWORDS.has(name)) return `“${name}” is a reserved Python keyword.`;
  return [...inputs, ...outputs].filter((field) => field.name === name).length > 1 ? 'Another field has this name.' : '';
}

/** Empty if the type is valid. */
export function typeProblem(type: string): string {
  if (type === '') return 'Enter a type.';
  let [depth, quote] = [0, ''];
  let outside = '';
  for (const letter of type) {
    if (quote !== '') {
      quote = letter === quote ? '' : quote;
      continue;
    }
    outside += letter;
    if (letter === "'" || letter === '"') quote = letter;
    else if (letter === '[') depth += 1;
    else if (letter === ']' && --depth < 0) break;
    else if (letter === ',' && depth === 0) return 'Commas are only allowed inside brackets.';
  }
  if (type.includes('->')) return 'A type can’t contain “->”.';
  const strange = /[^\p{L}\p{N}_[\],| .'"-]/u.exec(outside)?.[0];
  if (strange !== undefined) return `A type can’t contain “${strange}”.`;
  const known = new Set<string>([...TYPE_NAMES, 'True', 'False']);
  const word = (outside.match(/[\p{L}\p{N}_]+/gu) ?? []).find((one) => !known.has(one) && !/^\d+$/.test(one));
  if (word !== undefined) return `Unknown type “${word}”. Use ${TYPE_NAMES.join(', ')}.`;
  return depth !== 0 || quote !== '' ? 'Unclosed bracket or quote.' : '';
}

/** Empty if the signature is complete. */
export function signatureProblem(text: string): string {
  const signature = readSignature(text);
  if (signature === null) return 'Separate inputs and outputs with one ->.';
  if (signature.inputs.length === 0) return 'Add an input field.';
  return signature.outputs.length === 0 ? 'Add an output field.' : '';
}
