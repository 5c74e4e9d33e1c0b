import type { SkillKey } from '$lib/api';
import type { Texts } from '$lib/api/generated';

/** Whether none, some or all matches of a row are excluded. */
export type Out = 'none' | 'some' | 'all';

interface Base {
  id: string;
  level: number;
  parent: string | null;
  /** Index among its siblings, from 1. */
  position: number;
  siblings: number;
  out: Out;
}

export interface SkillRow extends Base {
  kind: 'skill';
  skill: Texts.SkillMatches;
  expanded: boolean;
  count: number;
}
export interface FileRow extends Base {
  kind: 'file';
  skill: Texts.SkillMatches;
  file: Texts.FileMatches;
  expanded: boolean;
  count: number;
}
export interface MatchRow extends Base {
  kind: 'match';
  skill: Texts.SkillMatches;
  file: Texts.FileMatches;
  match: Texts.Match;
}
export type Row = SkillRow | FileRow | MatchRow;

/** A match with an identity that survives another search. */
export interface FoundMatch {
  row: string;
  /** The text of its line and its index among equal lines: inserting lines above doesn't change it. */
  mark: string;
  match: Texts.Match;
}

export interface FoundFile {
  id: string;
  file: Texts.FileMatches;
  matches: FoundMatch[];
}

export interface FoundSkill {
  id: string;
  skill: Texts.SkillMatches;
  files: FoundFile[];
}

export const skillRowId = ({ scope, id }: SkillKey): string => `${scope}:${id}`;
export const fileRowId = (key: SkillKey, path: string): string => `${skillRowId(key)}/${path}`;

/** The result with an id for each row. */
export function named(found: Texts.SearchResult): FoundSkill[] {
  return found.skills.map((skill) => ({
    id: skillRowId(skill),
    skill,
    files: skill.files.map((file) => {
      const id = fileRowId(skill, file.path);
      const seen = new Map<string, number>();
      const matches = file.matches.map((match, index) => {
        const line = JSON.stringify([match.before, match.text, match.after]);
        const nth = seen.get(line) ?? 0;
        seen.set(line, nth + 1);
        return { row: `${id}#${index}`, mark: `${id}#${line}#${nth}`, match };
      });
      return { id, file, matches };
    }),
  }));
}

const outOf = (matches: readonly FoundMatch[], isOut: (mark: string) => boolean): Out => {
  const count = matches.filter(({ mark }) => isOut(mark)).length;
  return count === 0 ? 'none' : count === matches.length ? 'all' : 'some';
};

/** The visible rows from top to bottom: skill, file, match. */
export function flatten(skills: readonly FoundSkill[], isClosed: (id: string) => boolean, isOut: (mark: string) => boolean): Row[] {
  const rows: Row[] = [];
  for (const [position, { id, skill, files }] of skills.entries()) {
    const expanded = !isClosed(id);
    const all = files.flatMap((one) => one.matches);
    rows.push({ kind: 'skill', id, level: 1, parent: null, position: position + 1, siblings: skills.length, skill, expanded, count: all.length, out: outOf(all, isOut) });
    if (!expanded) continue;
    for (const [filePosition, { id: fileId, file, matches }] of files.entries()) {
      const open = !isClosed(fileId);
      rows.push({ kind: 'file', id: fileId, level: 2, parent: id, position: filePosition + 1, siblings: files.length, skill, file, expanded: open, count: matches.length, out: outOf(matches, isOut) });
      if (!open) continue;
      for (const [index, { row, mark, match }] of matches.entries()) {
        rows.push({ kind: 'match', id: row, level: 3, parent: fileId, position: index + 1, siblings: matches.length, skill, file, match, out: isOut(mark) ? 'all' : 'none' });
      }
    }
  }
  return rows;
}

/** Characters before a match that are shown where there is room. */
const BEFORE = 24;

/** The text before a match, shortened so that the match is visible. */
export function lead(before: string, maxLength = BEFORE): string {
  const text = before.trimStart();
  const characters = Array.from(text);
  if (characters.length <= maxLength) return text;
  const cut = characters.slice(-maxLength).join('');
  const word = cut.search(/\s\S/);
  return `…${word >= 0 && word < maxLength / 2 ? cut.slice(word + 1) : cut}`;
}

/** One line with visible line breaks. */
export const oneLine = (text: string): string => text.replace(/\r?\n/g, '↵');
