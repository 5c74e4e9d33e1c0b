/** A statement of a template: `{% for … %}`. */
export interface Tag {
  from: number;
  to: number;
  /** The first word. */
  name: string;
  /** The text after the name, without whitespace control. */
  rest: string;
}

/** A block statement with its end. */
export interface Block {
  open: Tag;
  /** `else` and `elif`. */
  between: Tag[];
  /** Null if the end is missing. */
  close: Tag | null;
}

export interface Blocks {
  tags: Tag[];
  /** In the order of their opening tags. */
  blocks: Block[];
  /** Tags without an opening one, such as an `endif` without an `if`. */
  stray: Tag[];
}

const PAIRED = new Set(['for', 'if', 'with', 'block', 'macro', 'call', 'filter', 'autoescape', 'raw', 'set']);
const TAG = /\{#[\s\S]*?#\}|\{%[-+]?\s*(\w+)([\s\S]*?)[-+]?%\}/g;

/** `{% set x %}…{% endset %}` is a block, `{% set x = 1 %}` isn't. */
const opens = (tag: Tag): boolean => PAIRED.has(tag.name) && !(tag.name === 'set' && tag.rest.includes('='));

function tagsOf(text: string): Tag[] {
  const tags: Tag[] = [];
  let raw = false;
  for (const found of text.matchAll(TAG)) {
    const [whole, name, rest = ''] = found;
    if (name === undefined || (raw && name !== 'endraw')) continue;
    raw = name === 'raw';
    tags.push({ from: found.index, to: found.index + whole.length, name, rest: rest.trim() });
  }
  return tags;
}

export function blocksOf(text: string): Blocks {
  const tags = tagsOf(text);
  const blocks: Block[] = [];
  const stray: Tag[] = [];
  const open: Block[] = [];
  for (const tag of tags) {
    const inner = open.at(-1);
    if (opens(tag)) {
      const block = { open: tag, between: [], close: null };
      blocks.push(block);
      open.push(block);
    } else if (tag.name === 'else' || tag.name === 'elif') {
      if (inner && (inner.open.name === 'if' || (inner.open.name === 'for' && tag.name === 'else'))) inner.between.push(tag);
      else stray.push(tag);
    } else if (tag.name.startsWith('end')) {
      const name = tag.name.slice(3);
      const at = open.findLastIndex((block) => block.open.name === name);
      if (at < 0) stray.push(tag);
      else for (const block of open.splice(at)) block.close = block.open.name === name ? tag : null;
    }
  }
  return { tags, blocks, stray };
}

/** The blocks with mapped positions. */
export function mapBlocks({ tags, blocks, stray }: Blocks, to: (at: number) => number): Blocks {
  const now = new Map(tags.map((tag) => [tag, { ...tag, from: to(tag.from), to: to(tag.to) }]));
  const of = (tag: Tag): Tag => now.get(tag) ?? tag;
  return {
    tags: tags.map(of),
    blocks: blocks.map(({ open, between, close }) => ({ open: of(open), between: between.map(of), close: close && of(close) })),
    stray: stray.map(of),
  };
}

/** The tags of the block whose opening, middle or closing tag is at a position. */
export function relatedTagsAt({ blocks, stray }: Blocks, at: number): { tags: Tag[]; closed: boolean } | null {
  const inside = (tag: Tag | null): boolean => tag !== null && tag.from <= at && at <= tag.to;
  const block = blocks.find(({ open, between, close }) => inside(open) || inside(close) || between.some(inside));
  if (block) return { tags: [block.open, ...block.between, ...(block.close ? [block.close] : [])], closed: block.close !== null };
  const alone = stray.find(inside);
  return alone ? { tags: [alone], closed: false } : null;
}
