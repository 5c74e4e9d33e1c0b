/** The core says why as the end of a sentence about the sandbox. */
export const cantRun = (why: string): string => `The Python sandbox can’t run: ${why}.`;

/** The end of what a script wrote, and whether there was more before it. */
export interface LogTail {
  text: string;
  cut: boolean;
}

export const NO_LOG: LogTail = { text: '', cut: false };

const MOST_LINES = 2_000;
const MOST_LETTERS = 96 * 1024;

/** The log with a piece more. What grows too long loses a quarter at once, so that not every piece costs a copy. */
export function withPiece({ text, cut }: LogTail, piece: string): LogTail {
  const all = text + piece;
  const lines = all.split('\n');
  if (lines.length <= MOST_LINES && all.length <= MOST_LETTERS) return { text: all, cut };
  let kept = lines.slice(-Math.round(MOST_LINES * 0.75)).join('\n');
  if (kept.length > MOST_LETTERS) {
    kept = kept.slice(-Math.round(MOST_LETTERS * 0.75));
    kept = kept.slice(kept.indexOf('\n') + 1);
  }
  return { text: kept, cut: true };
}

export interface TracebackLine {
  text: string;
  /** The blanks that the text begins with. */
  indent: string;
  /** The line of the script that it names; null when it names none, or another file. */
  place: number | null;
}

/** The lines of a traceback; those that name the script's own file say where in it. */
export function tracebackLines(traceback: string, path: string): TracebackLine[] {
  return traceback.replace(/\n+$/, '').split('\n').map((text) => {
    const [, file = '', line = ''] = /^\s*File "([^"]+)", line (\d+)/.exec(text) ?? [];
    const own = file === path || file.endsWith(`/${path}`);
    return { text, indent: /^\s*/.exec(text)?.[0] ?? '', place: own ? Number(line) : null };
  });
}
