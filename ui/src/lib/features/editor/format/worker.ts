import { type Edit, formatEdits, FormatError, type Lines } from './format';

// Formatting beside the window: a long text doesn't hold up the typing, and the formatter has prototypes of its own, which it
// changes while those of the window are frozen.

export interface FormatRequest {
  path: string;
  text: string;
  lines: Lines | null;
}

export type FormatResponse = { edits: Edit[] } | { refused: string; line: number | null };

// The library of types knows this scope as the window's.
const scope = self as unknown as { onmessage: ((event: MessageEvent<FormatRequest>) => void) | null; postMessage: (given: FormatResponse) => void };

scope.onmessage = ({ data: { path, text, lines } }) => {
  formatEdits(path, text, lines).then(
    (edits) => scope.postMessage({ edits }),
    (cause: unknown) => scope.postMessage({ refused: cause instanceof Error ? cause.message : String(cause), line: cause instanceof FormatError ? cause.line : null }),
  );
};
