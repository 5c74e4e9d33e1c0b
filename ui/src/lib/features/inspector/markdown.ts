import DOMPurify from 'dompurify';
import { marked } from 'marked';

const FRONTMATTER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

export interface Split {
  frontmatter: string | null;
  body: string;
}

export function splitFrontmatter(text: string): Split {
  const found = FRONTMATTER.exec(text);
  return found ? { frontmatter: found[1] ?? '', body: text.slice(found[0].length) } : { frontmatter: null, body: text };
}

/** Markdown as elements. Nothing in it loads, runs or submits: a skill may come from anywhere. */
export function renderMarkdown(body: string): DocumentFragment {
  const html = marked.parse(body, { async: false, gfm: true });
  return DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['img', 'picture', 'video', 'audio', 'source', 'style', 'form', 'button', 'textarea', 'select', 'iframe'],
    FORBID_ATTR: ['style', 'id', 'name'],
  });
}
