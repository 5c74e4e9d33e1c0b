/** The core's reason continues a sentence about the sandbox. */
export const cantRun = (why: string): string => `The Python sandbox can’t run: ${why}.`;

/** The end of a script's log, and whether earlier text was dropped. */
export interface LogTail {
  text: string;
  cut: boolean;
}

export const NO_LOG: LogTail = { text: '', cut: false };

const MAX_LINES = 2_000;
const MAX_CHARACTERS = 96 * 1024;

/** Appends to the log. A log that grows too long loses a quarter at once, so that not every append copies it. */
export function withPiece({ text, cut }: LogTail, piece: string): LogTail {
  const all = text + piece;
  const lines = all.split('\n');
  if (lines.length <= MAX_LINES && all.length <= MAX_CHARACTERS) return { text: all, cut };
  let tail = lines.slice(-Math.round(MAX_LINES * 0.75)).join('\n');
  if (tail.length > MAX_CHARACTERS) {
    tail = tail.slice(-Math.round(MAX_CHARACTERS * 0.75));
    tail = tail.slice(tail.indexOf('\n') + 1);
  }
  return { text: tail, cut: true };
}

export interface TracebackLine {
  text: string;
  indent: string;
  /** The line of the script; null if it names none, or another file. */
  line: number | null;
}

/** The lines of a traceback, with the line numbers of those in the script's own file. */
export function tracebackLines(traceback: string, path: string): TracebackLine[] {
  return traceback.replace(/\n+$/, '').split('\n').map((text) => {
    const [, file = '', line = ''] = /^\s*File "([^"]+)", line (\d+)/.exec(text) ?? [];
    const own = file === path || file.endsWith(`/${path}`);
    return { text, indent: /^\s*/.exec(text)?.[0] ?? '', line: own ? Number(line) : null };
  });
}
