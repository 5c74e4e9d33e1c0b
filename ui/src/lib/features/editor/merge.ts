import { diff3Merge } from 'node-diff3';
import { lineBreakOf } from './codemirror/positions';

/** A hunk of a three-way merge: merged, or in conflict. */
export type Piece = { kind: 'settled'; lines: readonly string[] } | ({ kind: 'conflict' } & Versions);

/** The lines of base, ours and theirs. */
export interface Versions {
  base: readonly string[];
  ours: readonly string[];
  theirs: readonly string[];
}

export interface MergeResult {
  pieces: readonly Piece[];
  conflicts: number;
  lineBreak: '\n' | '\r\n';
}

interface Region {
  ok?: string[];
  conflict?: { a: string[]; o: string[]; b: string[] };
}

/** Three-way merge by line. Changes of one side, and equal changes of both, are merged. */
export function merge(base: string, ours: string, theirs: string): MergeResult {
  const regions = diff3Merge(lines(ours), lines(base), lines(theirs), { excludeFalseConflicts: true }) as Region[];
  const pieces = regions.map((region): Piece => {
    const { a = [], o = [], b = [] } = region.conflict ?? {};
    return region.ok ? { kind: 'settled', lines: region.ok } : { kind: 'conflict', base: o, ours: a, theirs: b };
  });
  const [before, own] = [lineBreakOf(base), lineBreakOf(ours)];
  return {
    pieces,
    conflicts: pieces.filter((piece) => piece.kind === 'conflict').length,
    lineBreak: own === before ? lineBreakOf(theirs) : own,
  };
}

/** The merged text; null if there are conflicts. */
export function mergedText(base: string, ours: string, theirs: string): string | null {
  const { pieces, conflicts, lineBreak } = merge(base, ours, theirs);
  if (conflicts > 0) return null;
  return pieces.flatMap((piece) => (piece.kind === 'settled' ? piece.lines : [])).join(lineBreak);
}

const lines = (text: string): string[] => text.split(lineBreakOf(text));
