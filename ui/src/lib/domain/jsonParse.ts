import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** Whether comments and commas after the last entry are allowed, as in `skill.json`. */
export interface JsonDialect {
  comments: boolean;
}

export const STRICT: JsonDialect = { comments: false };
export const WITH_COMMENTS: JsonDialect = { comments: true };

export interface JsonProblem {
  /** Lower case, without a trailing period. */
  message: string;
  /** Both count from 1. */
  line: number;
  column: number;
}

export const BOM = '\uFEFF';

/** The tree of a text, as much as could be read, and its first problem. Offsets don't count a byte order mark. */
export function parseJson(text: string, { comments }: JsonDialect): { root: Node | undefined; problem: JsonProblem | null } {
  const body = text.startsWith(BOM) ? text.slice(1) : text;
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: comments, disallowComments: !comments });
  const [first] = errors;
  return { root, problem: first ? problemAt(body, first.offset, messageOf(first)) : null };
}

/** The text as an object; null for any other JSON and for broken text. */
export function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.startsWith(BOM) ? text.slice(1) : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** "PropertyNameExpected" as "property name expected". */
const messageOf = ({ error }: ParseError): string => printParseErrorCode(error).replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

function problemAt(text: string, offset: number, message: string): JsonProblem {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { message, line, column: Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1 };
}
