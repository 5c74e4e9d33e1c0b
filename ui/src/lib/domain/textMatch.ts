export interface Match {
  score: number;
  /** Positions in the text that matched, for emphasis. */
  at: number[];
}

const BOUNDARY = /[\s/\-_.:]/;

// Higher is better; between texts of one grade the shorter one comes first.
const TEXT_START = 260;
const WORD_START = 240;
const CONTAINED = 200;
const INITIALS = 100;

/**
 * Matches the words of a query in any order, as VS Code's command palette does: each is contained in the text or made of the beginnings of
 * its words ("tww": Toggle word wrap, "chpr": check-prompt). Null when one isn't; an empty query matches everything alike.
 *
 * For lists that the window has in full. Names of files and skills are ranked by `file/find`.
 */
export function matchText(query: string, text: string): Match | null {
  const wanted = query.trim().toLowerCase();
  const lower = text.toLowerCase();
  if (wanted === '') return { score: 0, at: [] };
  const whole = matchWord(wanted, lower);
  const words = queryWords(wanted);
  if (whole || words.length < 2) return whole;
  let score = 0;
  const at: number[] = [];
  for (const word of words) {
    const match = matchWord(word, lower);
    if (!match) return null;
    score += match.score / words.length;
    at.push(...match.at);
  }
  return { score, at };
}

function matchWord(word: string, text: string): Match | null {
  const penalty = Math.min(text.length, 100) / 4;
  const from = contained(word, text);
  if (from >= 0) return { score: (from === 0 ? TEXT_START : startsWord(text, from) ? WORD_START : CONTAINED) - penalty, at: range(from, word.length) };
  const at = initials(word, text, 0, new Set());
  return at && { score: INITIALS - penalty, at };
}

/** The first occurrence at the start of a word, else the first one. */
function contained(word: string, text: string): number {
  const first = text.indexOf(word);
  for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) if (startsWord(text, at)) return at;
  return first;
}

/** Positions in the text of beginnings of its words that make up `word`. `failed` keeps the search from trying a rest twice. */
function initials(word: string, text: string, from: number, failed: Set<string>): number[] | null {
  if (word === '') return [];
  const state = `${word.length}:${from}`;
  if (failed.has(state)) return null;
  for (let at = text.indexOf(word.charAt(0), from); at >= 0; at = text.indexOf(word.charAt(0), at + 1)) {
    if (!startsWord(text, at)) continue;
    let length = 1;
    while (length < word.length && word.charAt(length) === text.charAt(at + length)) length += 1;
    for (; length > 0; length -= 1) {
      const rest = initials(word.slice(length), text, at + length, failed);
      if (rest) return [...range(at, length), ...rest];
    }
  }
  failed.add(state);
  return null;
}

const startsWord = (text: string, at: number): boolean => at === 0 || BOUNDARY.test(text.charAt(at - 1));

const range = (from: number, length: number): number[] => Array.from({ length }, (_, index) => from + index);

/** The words of a filter, in lower case. */
export const queryWords = (query: string): string[] => query.toLowerCase().split(/\s+/).filter((word) => word !== '');

/** Where the words of a query begin words of the text. */
export function wordsAt(query: string, text: string): number[] {
  const at: number[] = [];
  for (const word of query.trim().split(/\s+/)) {
    if (word === '') continue;
    const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    for (const found of text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${literal}`, 'giu'))) {
      for (let index = 0; index < found[0].length; index += 1) at.push(found.index + index);
    }
  }
  return at;
}

/** The text in pieces, those that matched marked. */
export function pieces(text: string, at: readonly number[]): { text: string; hit: boolean }[] {
  const hits = new Set(at);
  const parts: { text: string; hit: boolean }[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const hit = hits.has(index);
    const last = parts.at(-1);
    if (last?.hit === hit) last.text += text.charAt(index);
    else parts.push({ text: text.charAt(index), hit });
  }
  return parts;
}
