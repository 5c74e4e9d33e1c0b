/** A heading, function, block or key. */
export interface OutlineItem {
  name: string;
  /** The kind for screen readers: "heading", "function". */
  kind: string;
  /** Line numbers from 1, inclusive. */
  line: number;
  endLine: number;
  /** Nesting level from 1. */
  level: number;
}

const HEADING = /^(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const FENCE = /^\s*(`{3,}|~{3,})/;

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
