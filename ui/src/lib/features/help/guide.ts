import { queryWords, wordsAt } from '$lib/domain';

export interface GuidePage {
  slug: string;
  title: string;
  text: string;
}

export interface GuideHit {
  page: GuidePage;
  /** The heading above the match; empty before the first one. */
  heading: string;
  snippet: string;
  /** Positions of the words in the title. */
  title: readonly number[];
  /** Positions of the words in the snippet. */
  at: readonly number[];
}

const AROUND = 60;

/** `text` begins with "# Title". */
export function guidePage(slug: string, text: string): GuidePage {
  return { slug, title: /^# (.+)$/m.exec(text)?.[1] ?? slug, text };
}

/** Headings below the title, in order. */
export const headingsOf = (text: string): string[] => [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

/** Text without Markdown syntax. */
const plain = (text: string): string =>
  text
    .replace(/<[^>]+>/g, '')
    .replace(/\[[^\]]*\]\(#run\/[^)]*\)/g, '')
    // Tables become their rows, one after the other.
    .replace(/^\|.*\|\n\|[ |-]+\|$/gm, '')
    .replace(/^\| *(.*?) *\|$/gm, (_, row: string) => `${row.replace(/ *(?<!\\)\| */g, ': ')};`)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`|]|^[-#>]+ /gm, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ');

/** Pages that have all words of the query: those with them in the title first. */
export function searchGuide(pages: readonly GuidePage[], query: string): GuideHit[] {
  const words = queryWords(query);
  if (words.length === 0) return [];
  const found: { hit: GuideHit; score: number }[] = [];
  for (const page of pages) {
    const whole = `${page.title} ${plain(page.text)}`.toLowerCase();
    if (!words.every((word) => whole.includes(word))) continue;
    const title = wordsAt(query, page.title);
    const parts = partsOf(page.text);
    const count = (text: string): number => words.filter((word) => text.toLowerCase().includes(word)).length;
    const best = parts.reduce((one, other) => (count(`${other.heading} ${other.text}`) > count(`${one.heading} ${one.text}`) ? other : one));
    const snippet = snippetOf(best.text, words);
    found.push({ hit: { page, heading: best.heading, snippet, title, at: wordsAt(query, snippet) }, score: title.length * 10 + wordsAt(query, best.heading).length });
  }
  return found.sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}

function partsOf(text: string): { heading: string; text: string }[] {
  return text.split(/^(?=## )/m).map((part) => {
    const heading = /^## (.+)$/m.exec(part)?.[1] ?? '';
    return { heading, text: plain(part.replace(/^#{1,2} .+$/m, '')).trim() };
  });
}

function snippetOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const near = Math.max(0, (places.length === 0 ? 0 : Math.min(...places)) - AROUND);
  // Starts at a word.
  const first = near === 0 ? 0 : text.indexOf(' ', near) + 1;
  const cut = text.slice(first, first + 3 * AROUND);
  return `${first > 0 ? '…' : ''}${cut.trim()}${first + cut.length < text.length ? '…' : ''}`;
}

/** Escapes text for a cell of a Markdown table. */
export const tableCell = (text: string): string => text.replaceAll('|', '\\|').replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A key as HTML. Backslash and bar are keys, but syntax in Markdown and its tables. */
export const keyboard = (key: string): string => `<kbd>${key.replace(/[\\`*_{}[\]()#!|<>&~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</kbd>`;

/** Fills in the placeholders of a page: keys of commands, and the version. */
export function filled(text: string, values: { keyOf: (command: string) => string | undefined; version: string }): string {
  return text
    .replace(/\{key:([\w.]+)\}/g, (_, id: string) => {
      const key = values.keyOf(id);
      return key === undefined ? 'the command palette' : keyboard(key);
    })
    .replaceAll('{version}', values.version);
}
