/** A heading, function, block or key: what a file's outline lists. */
export interface OutlineItem {
  name: string;
  /** In one word, as it is read out: "heading", "function". */
  kind: string;
  /** Lines from 1; the last one belongs to it. */
  line: number;
  endLine: number;
  /** From 1; what lies in another item is one deeper. */
  level: number;
}

/** The text whose outline is wanted, such as a document. */
export interface OutlineSource {
  path: string;
  text(): string;
}

const HEADING = /^(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const FENCE = /^\s*(`{3,}|~{3,})/;

/** What is in a file, in its order. The languages come with the first file. */
export async function symbolsOf(source: OutlineSource): Promise<OutlineItem[]> {
  const { outlineOf } = await import('./codemirror/outlines');
  return outlineOf(source.path, source.text());
}

export function headingsOf(text: string): OutlineItem[] {
  const lines = text.split(/\r\n|\n/);
  const items: OutlineItem[] = [];
  const open: { item: OutlineItem; depth: number }[] = [];
  let fence: string | null = null;
  let at = bodyStart(lines);
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const mark = FENCE.exec(line)?.[1];
    if (mark && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      continue;
    }
    const heading = fence === null ? HEADING.exec(line) : null;
    if (!heading) continue;
    const depth = heading[1]?.length ?? 1;
    while ((open.at(-1)?.depth ?? 0) >= depth) {
      const ended = open.pop();
      if (ended) ended.item.endLine = at;
    }
    const item = { name: heading[2] ?? '', kind: 'heading', line: at + 1, endLine: lines.length, level: open.length + 1 };
    items.push(item);
    open.push({ item, depth });
  }
  return items;
}

/** The first line after the frontmatter, from 0. */
function bodyStart(lines: readonly string[]): number {
  if (lines[0] !== '---') return 0;
  const end = lines.indexOf('---', 1);
  return end < 0 ? 0 : end + 1;
}

/** The innermost item around a line; by index, -1 for none. */
export function symbolAt(items: readonly OutlineItem[], line: number): number {
  let found = -1;
  for (const [index, item] of items.entries()) {
    if (item.line > line) break;
    if (item.endLine >= line) found = index;
  }
  return found;
}
