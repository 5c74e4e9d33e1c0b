import type { Text } from '@codemirror/state';
import type { Diagnostic } from '$lib/api/generated';

/** The UTF-16 offset of a column (from 1, in code points). */
export function columnOffset(line: string, column: number): number {
  let offset = 0;
  for (let passed = 1; passed < column && offset < line.length; passed += 1) {
    offset += (line.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** The column (from 1, in code points) of a UTF-16 offset. */
export function columnAt(line: string, offset: number): number {
  let column = 1;
  for (let at = 0; at < offset && at < line.length; column += 1) {
    at += (line.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return column;
}

export function offsetOf(doc: Text, line: number, column: number): number {
  const found = doc.line(Math.max(1, Math.min(line, doc.lines)));
  return found.from + columnOffset(found.text, column);
}

/** The range that a diagnostic marks: the word at its position if it has no end, the line if it has no column. */
export function rangeOf(doc: Text, diagnostic: Diagnostic): { from: number; to: number } {
  if (diagnostic.line === null) {
    const first = doc.line(1);
    return { from: first.from, to: first.to };
  }
  const line = doc.line(Math.max(1, Math.min(diagnostic.line, doc.lines)));
  if (diagnostic.column === null) {
    const indent = /^\s*/.exec(line.text)?.[0].length ?? 0;
    return { from: line.from + indent, to: line.to };
  }
  const from = offsetOf(doc, diagnostic.line, diagnostic.column);
  if (diagnostic.end_line !== null && diagnostic.end_column !== null) {
    const to = offsetOf(doc, diagnostic.end_line, diagnostic.end_column);
    if (to > from) return { from, to };
  }
  const word = /^[\p{L}\p{N}_-]+/u.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
  return { from, to: Math.min(line.to, from + Math.max(1, word)) };
}

/** The line break of a text. In a mixed one it is the line feed, so that carriage returns are preserved as characters. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const feeds = text.match(/\n/g)?.length ?? 0;
  const both = text.match(/\r\n/g)?.length ?? 0;
  const returns = text.match(/\r/g)?.length ?? 0;
  return both > 0 && both === feeds && both === returns ? '\r\n' : '\n';
}
