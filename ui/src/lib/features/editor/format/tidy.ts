/** Stretches of lines, from 0, that must stay as they are. */
type Kept = readonly { from: number; to: number }[];

/** Lines that lie in a text in quotes which goes over several of them. */
async function stringsOf(text: string): Promise<Kept> {
  const { pythonLanguage } = await import('@codemirror/lang-python');
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const kept: { from: number; to: number }[] = [];
  pythonLanguage.parser.parse(text).iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'String' && name !== 'FormatString') return true;
      if (text.slice(from, to).includes('\n')) kept.push({ from: lineAt(from), to: lineAt(to) });
      return false;
    },
  });
  return kept;
}

function hereDocuments(lines: readonly string[]): Kept {
  const kept: { from: number; to: number }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const word = /<<-?\s*(["']?)([\w-]+)\1/.exec(lines[at] ?? '')?.[2];
    if (word === undefined) continue;
    const end = lines.findIndex((line, index) => index > at && line.trim() === word);
    kept.push({ from: at + 1, to: end < 0 ? lines.length : end });
    if (end < 0) break;
    at = end;
  }
  return kept;
}

/** Tabs as four blanks, where every line is indented by either of them: a mix means what only its author knows. */
function untabbed(lines: readonly string[], isKept: (line: number) => boolean): string[] {
  const mixed = lines.some((line, index) => !isKept(index) && /^(?:\t+ +\S| +\t)/.test(line));
  return lines.map((line, index) => (mixed || isKept(index) ? line : line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length))));
}

/** For languages without a formatter of their own: only what can't change what a text means. */
export async function tidied(text: string, language: 'python' | 'shell' | 'template'): Promise<string> {
  const lines = text.split('\n');
  const kept = language === 'python' ? await stringsOf(text) : language === 'shell' ? hereDocuments(lines) : [];
  // The last line of a text in quotes has code behind it, but its begin belongs to the text.
  const isKept = (line: number): boolean => kept.some(({ from, to }) => from <= line && line < to);
  const begins = (line: number): boolean => kept.some(({ from, to }) => from < line && line <= to);
  const spaced = language === 'python' ? untabbed(lines, begins) : lines;
  const trimmed = spaced.map((line, index) => (isKept(index) ? line : line.replace(/[ \t]+$/, '')));
  while (trimmed.length > 1 && trimmed.at(-1) === '' && trimmed.at(-2) === '' && !isKept(trimmed.length - 2)) trimmed.pop();
  const whole = trimmed.join('\n');
  return whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`;
}
