import type { SkillOverview } from '$lib/api';
import { baseName, lazy } from '$lib/domain';
import type { Failure, FileEntry, Scope, SkillDetail } from '$lib/api/generated';

interface Base {
  id: string;
  level: number;
  label: string;
  /** Id of the parent row. */
  parent: string | null;
  /** Index among its siblings, from 1. */
  position: number;
  siblings: number;
}

export interface SectionRow extends Base {
  kind: 'section';
  scope: Scope;
  count: number;
}
export interface SkillRow extends Base {
  kind: 'skill';
  skill: SkillOverview;
}
export interface FolderRow extends Base {
  kind: 'folder';
  skill: SkillOverview;
  path: string;
}
export interface FileRow extends Base {
  kind: 'file';
  skill: SkillOverview;
  entry: FileEntry;
}
/** A message: loading, an error, or an empty section. */
export interface NoteRow extends Base {
  kind: 'note';
  skill: SkillOverview | null;
  failed: boolean;
  /** The scope in which a click creates a skill. */
  create: Scope | null;
}
export type Row = SectionRow | SkillRow | FolderRow | FileRow | NoteRow;
/** Rows that can be moved, copied and deleted. */
export type ItemRow = SkillRow | FolderRow | FileRow;

export const isItem = (row: Row): row is ItemRow => row.kind === 'skill' || row.kind === 'folder' || row.kind === 'file';
export const canOpen = (row: Row): row is SectionRow | SkillRow | FolderRow => row.kind === 'section' || row.kind === 'skill' || row.kind === 'folder';
export const pathOf = (row: FolderRow | FileRow): string => (row.kind === 'folder' ? row.path : row.entry.path);

/** A scope with the rows of its skills. Unchanged rows stay the same objects. */
export interface Section {
  row: SectionRow;
  skills: SkillRow[];
}

export interface TreeSource {
  filtered: boolean;
  isOpen: (id: string) => boolean;
  detail: (skill: SkillOverview) => SkillDetail | undefined;
  failure: (skill: SkillOverview) => Failure | undefined;
}

interface Folder {
  folders: Map<string, Folder>;
  files: FileEntry[];
}

const collator = lazy(() => new Intl.Collator('en', { numeric: true, sensitivity: 'base' }));

export const sectionId = (scope: Scope): string => `section:${scope}`;
export const skillId = (skill: { scope: Scope; id: string }): string => `${skill.scope}:${skill.id}`;
export const fileId = (skill: { scope: Scope; id: string }, path: string): string => `${skillId(skill)}/${path}`;
export const folderId = (skill: { scope: Scope; id: string }, path: string): string => fileId(skill, `${path}/`);

/** The sections with their skills. Unchanged rows of `before` are reused. */
export function sectionsOf(skills: readonly SkillOverview[], hasWorkspace: boolean, before: readonly Section[]): Section[] {
  const scopes: Scope[] = hasWorkspace ? ['workspace', 'account'] : ['account'];
  return scopes.map((scope, index) => {
    const own = skills.filter((skill) => skill.scope === scope);
    const last = before.find((section) => section.row.scope === scope);
    const known = last?.skills ?? [];
    const parent = sectionId(scope);
    const label = scope === 'workspace' ? 'Workspace' : 'Account';
    const kept = last?.row.count === own.length && last.row.siblings === scopes.length;
    return {
      row: kept ? last.row : { kind: 'section', id: parent, level: 1, label, parent: null, position: index + 1, siblings: scopes.length, scope, count: own.length },
      skills: own.map((skill, at): SkillRow => {
        const same = known[at];
        if (same?.skill === skill && same.siblings === own.length) return same;
        return { kind: 'skill', id: skillId(skill), level: 2, label: skill.name, parent, position: at + 1, siblings: own.length, skill };
      }),
    };
  });
}

/** SKILL.md first, then skill.json, then the others by name. */
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
export function flatten(sections: readonly Section[], source: TreeSource): Row[] {
  const rows: Row[] = [];
  for (const { row, skills } of sections) {
    rows.push(row);
    if (!source.filtered && !source.isOpen(row.id)) continue;
    if (skills.length === 0) {
      const label = source.filtered ? 'No matching skills' : 'No skills yet';
      const create = source.filtered ? null : row.scope;
      rows.push({ kind: 'note', id: `${row.id}#empty`, level: 2, label, parent: row.id, position: 1, siblings: 1, skill: null, failed: false, create });
    }
    for (const skill of skills) {
      rows.push(skill);
      if (source.isOpen(skill.id)) pushSkill(rows, source, skill);
    }
  }
  return rows;
}

function pushSkill(rows: Row[], source: TreeSource, { id, skill }: SkillRow): void {
  const detail = source.detail(skill);
  if (detail) {
    pushFolder(rows, source, skill, foldersOf(detail.entries), '', id, 3);
    return;
  }
  const failure = source.failure(skill);
  const label = failure ? `Couldn’t load: ${failure.message}` : 'Loading…';
  rows.push({ kind: 'note', id: `${id}#note`, level: 3, label, parent: id, position: 1, siblings: 1, skill, failed: failure !== undefined, create: null });
}

function pushFolder(rows: Row[], source: TreeSource, skill: SkillOverview, folder: Folder, prefix: string, parent: string, level: number): void {
  const files = [...folder.files].sort((a, b) => RANK[a.role] - RANK[b.role] || collator().compare(a.path, b.path));
  const first = files.filter((file) => file.role === 'main');
  const rest = files.filter((file) => file.role !== 'main');
  const folders = [...folder.folders].sort(([a], [b]) => collator().compare(a, b));
  const siblings = files.length + folders.length;
  let position = 0;
  const file = (entry: FileEntry): void => {
    position += 1;
    rows.push({ kind: 'file', id: fileId(skill, entry.path), level, label: baseName(entry.path), parent, position, siblings, skill, entry });
  };
  first.forEach(file);
  for (const [name, inner] of folders) {
    position += 1;
    const path = `${prefix}${name}`;
    const id = folderId(skill, path);
    rows.push({ kind: 'folder', id, level, label: name, parent, position, siblings, skill, path });
    if (source.isOpen(id)) pushFolder(rows, source, skill, inner, `${path}/`, id, level + 1);
  }
  rest.forEach(file);
}
