import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
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

/** `[[target|text]]`, optionally with `!` in front: its target as written, and the text to show. */
export function wikilink(source: string): { raw: string; target: string; text: string } | null {
  const found = /^!?\[\[([^[\]\n]+)\]\]/.exec(source);
  if (!found) return null;
  // In a table, the bar is escaped.
  const [, left = '', right = ''] = /^(.*?)(?:\\?\|(.*))?$/s.exec(found[1] ?? '') ?? [];
  const target = left.trim();
  return target === '' ? null : { raw: found[0], target, text: right.trim() || target };
}

/** `[ ]` or `[x]` at the start of a list item is a checkbox. */
function boxes(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'boxes', ({ tokens, Token }) => {
    tokens.forEach((token, at) => {
      const first = token.children?.[0];
      if (first?.type !== 'text' || tokens[at - 2]?.type !== 'list_item_open') return;
      const found = /^\[([ xX])\]\s/.exec(first.content);
      if (!found) return;
      const box = new Token('html_inline', '', 0);
      box.content = `<input type="checkbox" disabled${found[1] === ' ' ? '' : ' checked'}> `;
      first.content = first.content.slice(found[0].length);
      token.children?.unshift(box);
    });
  });
}

function wikilinks(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'wikilink', (state, silent) => {
    const link = wikilink(state.src.slice(state.pos, state.pos + 1_000));
    if (!link) return false;
    if (!silent) {
      const { escapeHtml } = md.utils;
      state.push('html_inline', '', 0).content = `<a href="#" data-target="${escapeHtml(link.target)}">${escapeHtml(link.text)}</a>`;
    }
    state.pos += link.raw.length;
    return true;
  });
}

// Reads the text once, character by character: one based on regular expressions took 17 s for 2,000 lines in WebKitGTK.
function make(): MarkdownIt {
  const md = new MarkdownIt({ html: true, linkify: true }).use(boxes);
  // Only URLs with a scheme become links: `notes.md` is a file.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  return md;
}
const plain = make();
const linked = make().use(wikilinks);

/** Renders untrusted Markdown: nothing in the result loads, runs or submits. */
export function renderMarkdown(body: string, withLinks = false): DocumentFragment {
  const html = (withLinks ? linked : plain).render(body);
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
