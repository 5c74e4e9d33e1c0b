import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';
import { decodedTarget } from './paths';

const FRONTMATTER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

export interface Split {
  frontmatter: string | null;
  body: string;
}

export function splitFrontmatter(text: string): Split {
  const found = FRONTMATTER.exec(text);
  return found ? { frontmatter: found[1] ?? '', body: text.slice(found[0].length) } : { frontmatter: null, body: text };
}

/** `[[target|text]]`, with or without a mark for embedding in front: its target as written, and what is shown. */
export function wikilink(source: string): { raw: string; target: string; text: string } | null {
  const found = /^!?\[\[([^[\]\n]+)\]\]/.exec(source);
  if (!found) return null;
  // In a table, the bar is escaped.
  const [, left = '', right = ''] = /^(.*?)(?:\\?\|(.*))?$/s.exec(found[1] ?? '') ?? [];
  const target = left.trim();
  return target === '' ? null : { raw: found[0], target, text: right.trim() || target };
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const plain = new Marked({ async: false, gfm: true });
const linked = new Marked(
  { async: false, gfm: true },
  {
    extensions: [
      {
        name: 'wikilink',
        level: 'inline',
        start: (source) => /!?\[\[/.exec(source)?.index,
        tokenizer: (source) => {
          const link = wikilink(source);
          return link ? { type: 'wikilink', ...link } : undefined;
        },
        renderer: ({ target, text }: Tokens.Generic) => `<a href="#" data-target="${escaped(String(target))}">${escaped(String(text))}</a>`,
      },
    ],
  },
);

/** Markdown as elements. Nothing in it loads, runs or submits: it may come from anywhere. */
export function renderMarkdown(body: string, wikilinks = false): DocumentFragment {
  const html = (wikilinks ? linked : plain).parse(body, { async: false });
  return DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['img', 'picture', 'video', 'audio', 'source', 'style', 'form', 'button', 'textarea', 'select', 'iframe'],
    FORBID_ATTR: ['style', 'id', 'name'],
  });
}

/** What a link in rendered markdown names. */
export function targetOf(link: Element): string {
  return decodedTarget(link.getAttribute('data-target') ?? link.getAttribute('href') ?? '');
}
