export interface Match {
  score: number;
  /** Positions in the text that matched, for emphasis. */
  at: number[];
}

const BOUNDARY = /[\s/\-_.:]/;

/**
 * Matches the query's characters in order. Runs, starts of words and the beginning count more; null when they aren't
 * all there. An empty query matches everything alike.
 */
export function fuzzy(query: string, text: string): Match | null {
  const wanted = query.toLowerCase().replace(/\s+/g, '');
  if (wanted === '') return { score: 0, at: [] };
  const lower = text.toLowerCase();
  const whole = lower.indexOf(query.toLowerCase().trim());
  if (whole >= 0) {
    const edge = whole === 0 || BOUNDARY.test(lower.charAt(whole - 1));
    const length = query.trim().length;
    return {
      score: 200 + (whole === 0 ? 60 : 0) + (edge ? 40 : 0) - Math.min(text.length, 100) / 4,
      at: Array.from({ length }, (_, index) => whole + index),
    };
  }
  const at: number[] = [];
  let score = 0;
  let from = 0;
  for (const letter of wanted) {
    const found = lower.indexOf(letter, from);
    if (found < 0) return null;
    const before = at.at(-1);
    if (before !== undefined && found === before + 1) score += 12;
    else if (found === 0 || BOUNDARY.test(lower.charAt(found - 1))) score += 10;
    else score -= Math.min(found - from, 8);
    at.push(found);
    from = found + 1;
  }
  return { score: score - Math.min(text.length, 100) / 8, at };
}

/** The words of a filter, in lower case. */
export const queryWords = (query: string): string[] => query.toLowerCase().split(/\s+/).filter((word) => word !== '');

/** Each word of the query on its own, in any order: "prompt consistency". */
export function fuzzyWords(query: string, text: string): Match | null {
  const words = query.trim().split(/\s+/);
  if (words.length < 2) return fuzzy(query, text);
  let score = 0;
  const at: number[] = [];
  for (const word of words) {
    const match = fuzzy(word, text);
    if (!match) return null;
    score += match.score / words.length;
    at.push(...match.at);
  }
  return { score, at };
}

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
