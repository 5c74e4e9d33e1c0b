import { baseName } from '$lib/domain';
import type { Failure, FileEntry, Scope, SkillDetail, SkillSummary } from '$lib/wire';

interface Base {
  id: string;
  level: number;
  label: string;
  /** The row it hangs under. */
  parent: string | null;
  /** Its place among its siblings, from 1. */
  place: number;
  siblings: number;
}

export interface SectionRow extends Base {
  kind: 'section';
  scope: Scope;
  expanded: boolean;
  count: number;
}
export interface SkillRow extends Base {
  kind: 'skill';
  skill: SkillSummary;
  expanded: boolean;
  draft: boolean;
}
export interface FolderRow extends Base {
  kind: 'folder';
  skill: SkillSummary;
  path: string;
  expanded: boolean;
}
export interface FileRow extends Base {
  kind: 'file';
  skill: SkillSummary;
  entry: FileEntry;
  draft: boolean;
}
/** A line that says something: reading, couldn't read, nothing here. */
export interface NoteRow extends Base {
  kind: 'note';
  skill: SkillSummary | null;
  failed: boolean;
  /** Where a click on it makes a skill. */
  create: Scope | null;
}
export type Row = SectionRow | SkillRow | FolderRow | FileRow | NoteRow;

export interface TreeSource {
  skills: readonly SkillSummary[];
  hasWorkspace: boolean;
  filtered: boolean;
  isExpanded: (id: string) => boolean;
  detail: (skill: SkillSummary) => SkillDetail | undefined;
  failure: (skill: SkillSummary) => Failure | undefined;
  hasDraft: (skill: SkillSummary, path?: string) => boolean;
}

interface Folder {
  folders: Map<string, Folder>;
  files: FileEntry[];
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export const sectionId = (scope: Scope): string => `section:${scope}`;
export const skillId = (skill: { scope: Scope; id: string }): string => `${skill.scope}:${skill.id}`;
export const fileId = (skill: { scope: Scope; id: string }, path: string): string => `${skillId(skill)}/${path}`;

export function byName(skills: readonly SkillSummary[]): SkillSummary[] {
  return [...skills].sort((a, b) => collator.compare(a.name, b.name) || (a.slug < b.slug ? -1 : 1));
}

/** SKILL.md leads, skill.json follows it, the rest is by name. */
const RANK: Record<FileEntry['role'], number> = { main: 0, manifest: 1, artifact: 2, state: 2, file: 2 };

function foldersOf(entries: readonly FileEntry[]): Folder {
  const root: Folder = { folders: new Map(), files: [] };
  for (const entry of entries) {
    const parts = entry.path.split('/');
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      const next = folder.folders.get(part) ?? { folders: new Map<string, Folder>(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push(entry);
  }
  return root;
}

/** The visible rows of the tree, from top to bottom. */
export function flatten(source: TreeSource): Row[] {
  const rows: Row[] = [];
  const scopes: Scope[] = source.hasWorkspace ? ['workspace', 'account'] : ['account'];
  for (const [index, scope] of scopes.entries()) {
    const skills = source.skills.filter((skill) => skill.scope === scope);
    const id = sectionId(scope);
    const expanded = source.filtered || source.isExpanded(id);
    const label = scope === 'workspace' ? 'Workspace' : 'Account';
    rows.push({ kind: 'section', id, level: 1, label, parent: null, place: index + 1, siblings: scopes.length, scope, expanded, count: skills.length });
    if (!expanded) continue;
    if (skills.length === 0) {
      const text = source.filtered ? 'No match' : 'No skills yet: create one';
      rows.push({ kind: 'note', id: `${id}#empty`, level: 2, label: text, parent: id, place: 1, siblings: 1, skill: null, failed: false, create: source.filtered ? null : scope });
    }
    for (const [place, skill] of skills.entries()) pushSkill(rows, source, skill, place + 1, skills.length);
  }
  return rows;
}

function pushSkill(rows: Row[], source: TreeSource, skill: SkillSummary, place: number, siblings: number): void {
  const id = skillId(skill);
  const expanded = source.isExpanded(id);
  const parent = sectionId(skill.scope);
  rows.push({ kind: 'skill', id, level: 2, label: skill.name, parent, place, siblings, skill, expanded, draft: source.hasDraft(skill) });
  if (!expanded) return;
  const detail = source.detail(skill);
  if (detail) {
    pushFolder(rows, source, skill, foldersOf(detail.entries), '', id, 3);
    return;
  }
  const failure = source.failure(skill);
  const label = failure ? `Couldn’t read it: ${failure.message}` : 'Reading…';
  rows.push({ kind: 'note', id: `${id}#note`, level: 3, label, parent: id, place: 1, siblings: 1, skill, failed: failure !== undefined, create: null });
}

function pushFolder(
  rows: Row[],
  source: TreeSource,
  skill: SkillSummary,
  folder: Folder,
  prefix: string,
  parent: string,
  level: number,
): void {
  const files = [...folder.files].sort((a, b) => RANK[a.role] - RANK[b.role] || collator.compare(a.path, b.path));
  const first = files.filter((file) => file.role === 'main');
  const rest = files.filter((file) => file.role !== 'main');
  const folders = [...folder.folders].sort(([a], [b]) => collator.compare(a, b));
  const siblings = files.length + folders.length;
  let place = 0;
  const file = (entry: FileEntry): void => {
    place += 1;
    const id = fileId(skill, entry.path);
    const draft = source.hasDraft(skill, entry.path);
    rows.push({ kind: 'file', id, level, label: baseName(entry.path), parent, place, siblings, skill, entry, draft });
  };
  first.forEach(file);
  for (const [name, inner] of folders) {
    place += 1;
    const path = `${prefix}${name}`;
    const id = fileId(skill, `${path}/`);
    // Folders of a skill are open unless closed: there are few, and what matters is inside.
    const expanded = !source.isExpanded(`closed:${id}`);
    rows.push({ kind: 'folder', id, level, label: name, parent, place, siblings, skill, path, expanded });
    if (expanded) pushFolder(rows, source, skill, inner, `${path}/`, id, level + 1);
  }
  rest.forEach(file);
}
