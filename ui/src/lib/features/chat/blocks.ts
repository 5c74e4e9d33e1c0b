/**
 * Splits Markdown where a block ends, so that while it arrives only the last part is rendered again. Lists and fenced code stay whole.
 */
export function blocks(markdown: string): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let fence: string | null = null;
  let blank = false;
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence === null && blank && part.length > 0 && startsBlock(line)) {
      parts.push(part.join('\n'));
      part = [];
    }
    if (fence === null) fence = mark;
    else if (mark !== null && mark.startsWith(fence) && line.trim() === mark) fence = null;
    blank = line.trim() === '';
    part.push(line);
  }
  if (part.join('').trim() !== '') parts.push(part.join('\n'));
  return parts;
}

/** What follows a blank line and isn’t part of a list. */
function startsBlock(line: string): boolean {
  return line.trim() !== '' && !/^(\s|[-*+]\s|\d+[.)]\s|\||<)/.test(line);
}
