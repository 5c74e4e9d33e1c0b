import type { Symbols } from '$lib/api/generated';

// What may be written in a markdown file: paths and headings of links, paths between backticks, keys of SKILL.md's frontmatter.

export interface TextOffer {
  label: string;
  detail?: string;
  about?: string;
  insert?: string;
}

export interface TextOffers {
  from: number;
  offers: TextOffer[];
}

/** The way from one file to another, as a link writes it. */
export function linkTo(from: string, to: string): string {
  const [here, there] = [from.split('/').slice(0, -1), to.split('/')];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/');
}

const escaped = (link: string): string => link.replace(/[ ()]/g, (char) => encodeURIComponent(char).replace('(', '%28').replace(')', '%29'));

/** The file that the path of a link means. */
function fileOf(from: string, link: string, names: Symbols.Names): string {
  return link === '' ? from : (names.files.find((file) => escaped(linkTo(from, file)) === link || file === link) ?? '');
}

export function markdownOffers(before: string, path: string, names: Symbols.Names): TextOffers | null {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const anchor = /\]\(([^()\s#]*)#([\w-]*)$/.exec(line);
  if (anchor) {
    const anchors = names.anchors[fileOf(path, anchor[1] ?? '', names)] ?? [];
    return { from: before.length - (anchor[2] ?? '').length, offers: anchors.map((label) => ({ label, detail: 'heading' })) };
  }
  const link = /\]\(([^()\s#]*)$/.exec(line);
  if (link) {
    const files = names.files.filter((file) => file !== path && file !== 'skill.json');
    const offers = files.map((file) => ({ label: escaped(linkTo(path, file)), ...(path.includes('/') ? { detail: file } : {}) }));
    return { from: before.length - (link[1] ?? '').length, offers };
  }
  const code = /(?:^|[^`])`([\w./-]*)$/.exec(line);
  if (code && (line.split('`').length - 1) % 2 === 1) {
    return { from: before.length - (code[1] ?? '').length, offers: names.files.filter((file) => file !== path).map((label) => ({ label })) };
  }
  return null;
}

/** Whether the end of the text is in the frontmatter. */
export function inFrontmatter(before: string): boolean {
  return /^\uFEFF?---[ \t]*\n/.test(before) && !/\n---[ \t]*(?:\n|$)/.test(before.slice(3).replace(/\n[^\n]*$/, '\n'));
}

export function frontmatterOffers(before: string, after: string, language: Symbols.LanguageData): TextOffers | null {
  if (!inFrontmatter(before)) return null;
  const word = /(?:^|\n)([\w-]*)$/.exec(before)?.[1];
  if (word === undefined) return null;
  const end = after.search(/\n---/);
  const rest = `${before.slice(0, before.length - word.length)}\n${end < 0 ? '' : after.slice(0, end)}`;
  const taken = new Set([...rest.matchAll(/(?:^|\n)([\w-]+):/g)].map(([, key]) => key));
  const offers = language.frontmatter.filter(({ name }) => !taken.has(name)).map(({ name, about }) => ({ label: name, about, insert: name === 'metadata' ? `${name}:\n  ` : `${name}: ` }));
  return { from: before.length - word.length, offers };
}
