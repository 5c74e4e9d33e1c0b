/** Stretches of lines, from 0, that must stay as they are. */
type LineRanges = readonly { from: number; to: number }[];

/** Lines within a multiline string. */
async function stringsOf(text: string): Promise<LineRanges> {
  const { pythonLanguage } = await import('@codemirror/lang-python');
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const protectedLines: { from: number; to: number }[] = [];
  pythonLanguage.parser.parse(text).iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'String' && name !== 'FormatString') return true;
      if (text.slice(from, to).includes('\n')) protectedLines.push({ from: lineAt(from), to: lineAt(to) });
      return false;
    },
  });
  return protectedLines;
}

function hereDocuments(lines: readonly string[]): LineRanges {
  const protectedLines: { from: number; to: number }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const word = /<<-?\s*(["']?)([\w-]+)\1/.exec(lines[at] ?? '')?.[2];
    if (word === undefined) continue;
    const end = lines.findIndex((line, index) => index > at && line.trim() === word);
    protectedLines.push({ from: at + 1, to: end < 0 ? lines.length : end });
    if (end < 0) break;
    at = end;
  }
  return protectedLines;
}

/** Replaces tabs by four spaces, unless a line mixes both, which is ambiguous. */
function untabbed(lines: readonly string[], isProtected: (line: number) => boolean): string[] {
  const mixed = lines.some((line, index) => !isProtected(index) && /^(?:\t+ +\S| +\t)/.test(line));
  return lines.map((line, index) => (mixed || isProtected(index) ? line : line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length))));
}

/** Formats languages without a formatter: only whitespace that doesn’t change the meaning. */
export async function tidied(text: string, language: 'python' | 'shell' | 'template'): Promise<string> {
  const lines = text.split('\n');
  const protectedLines = language === 'python' ? await stringsOf(text) : language === 'shell' ? hereDocuments(lines) : [];
  // The last line of a text in quotes has code behind it, but its begin belongs to the text.
  const isProtected = (line: number): boolean => protectedLines.some(({ from, to }) => from <= line && line < to);
  const begins = (line: number): boolean => protectedLines.some(({ from, to }) => from < line && line <= to);
  const spaced = language === 'python' ? untabbed(lines, begins) : lines;
  const trimmed = spaced.map((line, index) => (isProtected(index) ? line : line.replace(/[ \t]+$/, '')));
  while (trimmed.length > 1 && trimmed.at(-1) === '' && trimmed.at(-2) === '' && !isProtected(trimmed.length - 2)) trimmed.pop();
  const whole = trimmed.join('\n');
  return whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`;
}
