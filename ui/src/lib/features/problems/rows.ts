import { type SkillOverview, type SkillKey, skillKey } from '$lib/api';
import { byPlace, bySeverity, queryWords, type Tally } from '$lib/domain';
import type { Diagnostic, Severity } from '$lib/api/generated';

export interface Problem {
  id: string;
  key: SkillKey;
  skill: SkillOverview | undefined;
  path: string | null;
  diagnostic: Diagnostic;
}

/** The problems of one skill, by file. */
export interface Group {
  key: SkillKey;
  skill: SkillOverview | undefined;
  files: readonly { path: string | null; problems: readonly Problem[] }[];
  /** Including those that aren’t listed. */
  count: Tally;
}

export type ProblemRow =
  | { kind: 'skill'; id: string; level: 1; group: Group; listed: number; expanded: boolean }
  | { kind: 'file'; id: string; level: 2; group: Group; path: string | null; listed: number; expanded: boolean }
  | { kind: 'problem'; id: string; level: 3; problem: Problem };

export interface Filter {
  minSeverity: Severity;
  text: string;
}

/** The problems of a skill, sorted by file and position. Those of the whole skill come first. */
export function groupOf(key: SkillKey, skill: SkillOverview | undefined, findings: readonly { path: string | null; diagnostics: readonly Diagnostic[] }[], count: Tally): Group {
  const files = findings
    .filter(({ diagnostics }) => diagnostics.length > 0)
    .sort((a, b) => (a.path ?? '').localeCompare(b.path ?? ''))
    .map(({ path, diagnostics }) => ({
      path,
      problems: [...diagnostics].sort(byPlace).map((diagnostic, index): Problem => {
        const id = `${skillKey(key)}/${path ?? ''}#${diagnostic.rule}:${diagnostic.line ?? 0}:${diagnostic.column ?? 0}:${index}`;
        return { id, key, skill, path, diagnostic };
      }),
    }));
  return { key, skill, files, count };
}

/** Groups by file, in order of appearance. */
export function byFile(list: readonly Diagnostic[]): { path: string | null; diagnostics: Diagnostic[] }[] {
  const files = new Map<string | null, Diagnostic[]>();
  for (const diagnostic of list) {
    const known = files.get(diagnostic.file);
    if (known) known.push(diagnostic);
    else files.set(diagnostic.file, [diagnostic]);
  }
  return [...files].map(([path, diagnostics]) => ({ path, diagnostics }));
}

/** The groups with the problems that match the filter. */
export function filtered(groups: readonly Group[], { minSeverity, text }: Filter): Group[] {
  const words = queryWords(text);
  const fits = ({ skill, path, diagnostic }: Problem): boolean => {
    if (bySeverity(diagnostic.severity, minSeverity) > 0) return false;
    if (words.length === 0) return true;
    const whole = `${skill?.name ?? ''} ${skill?.slug ?? ''} ${path ?? ''} ${diagnostic.rule} ${diagnostic.message} ${diagnostic.hint ?? ''}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  };
  return groups.flatMap((group) => {
    const files = group.files.flatMap(({ path, problems }) => {
      const left = problems.filter(fits);
      return left.length > 0 ? [{ path, problems: left }] : [];
    });
    return files.length > 0 ? [{ ...group, files }] : [];
  });
}

/** The visible rows. The content of `collapsed` groups isn’t visible. */
export function rowsOf(groups: readonly Group[], collapsed: ReadonlySet<string>): ProblemRow[] {
  const rows: ProblemRow[] = [];
  for (const group of groups) {
    const id = skillKey(group.key);
    const expanded = !collapsed.has(id);
    rows.push({ kind: 'skill', id, level: 1, group, listed: group.files.reduce((sum, file) => sum + file.problems.length, 0), expanded });
    if (!expanded) continue;
    for (const { path, problems } of group.files) {
      const fileId = `${id}/${path ?? ''}`;
      const open = !collapsed.has(fileId);
      rows.push({ kind: 'file', id: fileId, level: 2, group, path, listed: problems.length, expanded: open });
      if (open) for (const problem of problems) rows.push({ kind: 'problem', id: problem.id, level: 3, problem });
    }
  }
  return rows;
}
