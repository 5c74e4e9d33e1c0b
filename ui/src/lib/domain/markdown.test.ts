import { expect, it, vi } from 'vitest';
import { renderMarkdown } from './markdown';

// Before sanitizing.
vi.mock('dompurify', () => ({ default: { sanitize: (html: string) => html } }));

const html = (text: string, links = false): string => (renderMarkdown(text, links) as unknown as string).trim();

it('has boxes in lists', () => {
  expect(html('- [ ] one `c`\n- [x] two\n- three')).toBe(
    '<ul>\n<li><input type="checkbox" disabled> one <code>c</code></li>\n<li><input type="checkbox" disabled checked> two</li>\n<li>three</li>\n</ul>',
  );
  expect(html('[ ] no list')).toBe('<p>[ ] no list</p>');
});

it('links addresses with a scheme, and no file names', () => {
  expect(html('https://a.org/x and notes.md')).toBe('<p><a href="https://a.org/x">https://a.org/x</a> and notes.md</p>');
});

it('has links to pages where there are pages, in tables too', () => {
  expect(html('See ![[a <b>]] and [[Mara Venn|her]].', true)).toBe(
    '<p>See <a href="#" data-target="a &lt;b&gt;">a &lt;b&gt;</a> and <a href="#" data-target="Mara Venn">her</a>.</p>',
  );
  expect(html('| a |\n|---|\n| [[x\\|y]] |', true)).toContain('<td><a href="#" data-target="x">y</a></td>');
  expect(html('[[x]]')).toBe('<p>[[x]]</p>');
});
