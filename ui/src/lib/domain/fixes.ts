import type { Check } from '$lib/api/generated';

/** Null if the text lacks one of the ranges, or ranges overlap. Columns count code points, lines end with a line feed. */
export function applied(text: string, edits: readonly Check.TextEdit[]): string | null {
  let out = '';
  let done = 0;
  for (const edit of edits) {
    const [from, to] = [offsetIn(text, edit.line, edit.column), offsetIn(text, edit.end_line, edit.end_column)];
    if (from === null || to === null || from < done || to < from) return null;
    out += text.slice(done, from) + edit.text;
    done = to;
  }
  return out + text.slice(done);
}

function offsetIn(text: string, line: number, column: number): number | null {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const feed = text.indexOf('\n', start);
    if (feed < 0) return null;
    start = feed + 1;
  }
  const feed = text.indexOf('\n', start);
  const end = feed < 0 ? text.length : feed;
  let at = start;
  for (let passed = 1; passed < column; passed += 1) {
    if (at >= end) return null;
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}
