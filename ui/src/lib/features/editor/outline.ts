import type { OutlineItem } from './headings';

/** The outline of a text. Loads the parsers with the first call. */
export async function symbolsOf(path: string, text: string): Promise<OutlineItem[]> {
  const { outlineOf } = await import('./codemirror/outlines');
  return outlineOf(path, text);
}

/** The index of the innermost item around a line; -1 for none. */
export function symbolAt(items: readonly OutlineItem[], line: number): number {
  let found = -1;
  for (const [index, item] of items.entries()) {
    if (item.line > line) break;
    if (item.endLine >= line) found = index;
  }
  return found;
}
