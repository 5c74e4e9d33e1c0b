import { type Brief, type SkillKey, skillKey } from '$lib/api';
import { byPlace, bySeverity, queryWords, type Tally } from '$lib/domain';
import type { Diagnostic, Severity } from '$lib/api/generated';

export interface Problem {
  id: string;
  key: SkillKey;
  skill: Brief | undefined;
  path: string | null;
  diagnostic: Diagnostic;
}

/** The problems of one skill, by file. */
export interface Group {
  key: SkillKey;
  skill: Brief | undefined;
  files: readonly { path: string | null; problems: readonly Problem[] }[];
  /** All of them, whether listed or not. */
  count: Tally;
}

export type ProblemRow =
  | { kind: 'skill'; id: string; level: 1; group: Group; listed: number; expanded: boolean }
  | { kind: 'file'; id: string; level: 2; group: Group; path: string | null; listed: number; expanded: boolean }
  | { kind: 'problem'; id: string; level: 3; problem: Problem };

export interface Filter {
  least: Severity;
  text: string;
}

/** Findings in the order of files and places, those of the skill as a whole first. */
export function groupOf(key: SkillKey, skill: Brief | undefined, findings: readonly { path: string | null; diagnostics: readonly Diagnostic[] }[], count: Tally): Group {
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

/** Findings by their file, in the order in which the files come. */
export function byFile(list: readonly Diagnostic[]): { path: string | null; diagnostics: Diagnostic[] }[] {
  const files = new Map<string | null, Diagnostic[]>();
  for (const diagnostic of list) {
    const known = files.get(diagnostic.file);
    if (known) known.push(diagnostic);
    else files.set(diagnostic.file, [diagnostic]);
  }
  return [...files].map(([path, diagnostics]) => ({ path, diagnostics }));
}

/** The groups with only what the filter lets through. */
export function filtered(groups: readonly Group[], { least, text }: Filter): Group[] {
  const words = queryWords(text);
  const fits = ({ skill, path, diagnostic }: Problem): boolean => {
    if (bySeverity(diagnostic.severity, least) > 0) return false;
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

/** What is shown, row by row; what `collapsed` names is shown without what is in it. */
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
