const LINES = 100;

/** Splits a text into parts of whole lines. */
export function parts(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  while (from < text.length) {
    let to = from;
    for (let line = 0; line < LINES; line += 1) {
      const end = text.indexOf('\n', to);
      if (end < 0) return [...found, text.slice(from)];
      to = end + 1;
    }
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}
