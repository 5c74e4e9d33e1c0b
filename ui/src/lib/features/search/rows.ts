import type { SkillKey } from '$lib/api';
import type { FileMatches, Match, Matches, SkillMatches } from '$lib/api/generated';

/** How much of what is below a row is left out. */
export type Out = 'none' | 'some' | 'all';

interface Base {
  id: string;
  level: number;
  parent: string | null;
  /** Its place among its siblings, from 1. */
  place: number;
  siblings: number;
  out: Out;
}

export interface SkillRow extends Base {
  kind: 'skill';
  skill: SkillMatches;
  expanded: boolean;
  count: number;
}
export interface FileRow extends Base {
  kind: 'file';
  skill: SkillMatches;
  file: FileMatches;
  expanded: boolean;
  count: number;
}
export interface MatchRow extends Base {
  kind: 'match';
  skill: SkillMatches;
  file: FileMatches;
  match: Match;
}
export type Row = SkillRow | FileRow | MatchRow;

/** A match with what tells it from all others, also when another search finds it again. */
export interface FoundMatch {
  row: string;
  /** Its line and which of several equal ones it is: it stays the same when lines are put in above it. */
  mark: string;
  match: Match;
}

export interface FoundFile {
  id: string;
  file: FileMatches;
  matches: FoundMatch[];
}

export interface FoundSkill {
  id: string;
  skill: SkillMatches;
  files: FoundFile[];
}

export const skillRowId = ({ scope, id }: SkillKey): string => `${scope}:${id}`;
export const fileRowId = (key: SkillKey, path: string): string => `${skillRowId(key)}/${path}`;

/** The answer with a name for each row. */
export function named(found: Matches): FoundSkill[] {
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
  for (const [place, { id, skill, files }] of skills.entries()) {
    const expanded = !isClosed(id);
    const all = files.flatMap((one) => one.matches);
    rows.push({ kind: 'skill', id, level: 1, parent: null, place: place + 1, siblings: skills.length, skill, expanded, count: all.length, out: outOf(all, isOut) });
    if (!expanded) continue;
    for (const [filePlace, { id: fileId, file, matches }] of files.entries()) {
      const open = !isClosed(fileId);
      rows.push({ kind: 'file', id: fileId, level: 2, parent: id, place: filePlace + 1, siblings: files.length, skill, file, expanded: open, count: matches.length, out: outOf(matches, isOut) });
      if (!open) continue;
      for (const [index, { row, mark, match }] of matches.entries()) {
        rows.push({ kind: 'match', id: row, level: 3, parent: fileId, place: index + 1, siblings: matches.length, skill, file, match, out: isOut(mark) ? 'all' : 'none' });
      }
    }
  }
  return rows;
}

/** Characters before a match that are shown where there is room. */
const BEFORE = 24;

/** What stands before a match, so short that the match itself is in sight. */
export function lead(before: string, most = BEFORE): string {
  const text = before.trimStart();
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const cut = characters.slice(-most).join('');
  const word = cut.search(/\s\S/);
  return `…${word >= 0 && word < most / 2 ? cut.slice(word + 1) : cut}`;
}

/** In one line, with the line breaks to be seen. */
export const oneLine = (text: string): string => text.replace(/\r?\n/g, '↵');
