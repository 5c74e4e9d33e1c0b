import { diff } from '@codemirror/merge';
import { FormatError, formatterOf } from './formatters';

export interface Edit {
  from: number;
  to: number;
  insert: string;
}

/** Lines from 1. */
export interface Lines {
  from: number;
  to: number;
}

/** Longer texts aren’t formatted, since they take too long. */
const LONGEST = 2_000_000;

/** The edits that format a text, or those of them that touch some lines; offsets as in `text`, whose lines end in line feeds. */
export async function formatEdits(path: string, text: string, lines: Lines | null = null): Promise<Edit[]> {
  const formatter = formatterOf(path);
  if (!formatter) throw new FormatError('No formatter for this file type');
  if (text.length > LONGEST) throw new FormatError('The file is too large to format');
  const after = await formatter.format(text);
  if (after === text) return [];
  const edits = diff(text, after, { scanLimit: 20_000, timeout: 2_000 }).map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: after.slice(fromB, toB) }));
  if (!lines) return edits;
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1), text.length + 1];
  const [begin, end] = [starts[lines.from - 1] ?? 0, (starts[lines.to] ?? text.length + 1) - 1];
  return edits.filter(({ from, to }) => to >= begin && from <= end);
}

export { FormatError };
