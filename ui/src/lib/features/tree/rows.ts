import type { Brief } from '$lib/api';
import { baseName, lazy } from '$lib/domain';
import type { Failure, FileEntry, Scope, SkillDetail } from '$lib/api/generated';

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
  count: number;
}
export interface SkillRow extends Base {
  kind: 'skill';
  skill: Brief;
}
export interface FolderRow extends Base {
  kind: 'folder';
  skill: Brief;
  path: string;
}
export interface FileRow extends Base {
  kind: 'file';
  skill: Brief;
  entry: FileEntry;
}
/** A line that says something: reading, couldn't read, nothing here. */
export interface NoteRow extends Base {
  kind: 'note';
  skill: Brief | null;
  failed: boolean;
  /** Where a click on it makes a skill. */
  create: Scope | null;
}
export type Row = SectionRow | SkillRow | FolderRow | FileRow | NoteRow;
/** What can be moved, copied and removed. */
export type ThingRow = SkillRow | FolderRow | FileRow;

export const isThing = (row: Row): row is ThingRow => row.kind === 'skill' || row.kind === 'folder' || row.kind === 'file';
export const canOpen = (row: Row): row is SectionRow | SkillRow | FolderRow => row.kind === 'section' || row.kind === 'skill' || row.kind === 'folder';
export const pathOf = (row: FolderRow | FileRow): string => (row.kind === 'folder' ? row.path : row.entry.path);

/** One scope with the rows of its skills. They are made once and stay the same objects while nothing of them changes. */
export interface Section {
  row: SectionRow;
  skills: SkillRow[];
}

export interface TreeSource {
  filtered: boolean;
  isOpen: (id: string) => boolean;
  detail: (skill: Brief) => SkillDetail | undefined;
  failure: (skill: Brief) => Failure | undefined;
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

/** The sections with their skills. Rows of the ones before are used again where they still hold. */
export function sectionsOf(skills: readonly Brief[], hasWorkspace: boolean, before: readonly Section[]): Section[] {
  const scopes: Scope[] = hasWorkspace ? ['workspace', 'account'] : ['account'];
  return scopes.map((scope, index) => {
    const own = skills.filter((skill) => skill.scope === scope);
    const last = before.find((section) => section.row.scope === scope);
    const known = last?.skills ?? [];
    const parent = sectionId(scope);
    const label = scope === 'workspace' ? 'Workspace' : 'Account';
    const kept = last?.row.count === own.length && last.row.siblings === scopes.length;
    return {
      row: kept ? last.row : { kind: 'section', id: parent, level: 1, label, parent: null, place: index + 1, siblings: scopes.length, scope, count: own.length },
      skills: own.map((skill, at): SkillRow => {
        const same = known[at];
        if (same?.skill === skill && same.siblings === own.length) return same;
        return { kind: 'skill', id: skillId(skill), level: 2, label: skill.name, parent, place: at + 1, siblings: own.length, skill };
      }),
    };
  });
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
export function flatten(sections: readonly Section[], source: TreeSource): Row[] {
  const rows: Row[] = [];
  for (const { row, skills } of sections) {
    rows.push(row);
    if (!source.filtered && !source.isOpen(row.id)) continue;
    if (skills.length === 0) {
      const label = source.filtered ? 'No matching skills' : 'No skills yet';
      const create = source.filtered ? null : row.scope;
      rows.push({ kind: 'note', id: `${row.id}#empty`, level: 2, label, parent: row.id, place: 1, siblings: 1, skill: null, failed: false, create });
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
  const label = failure ? `Couldn’t load it: ${failure.message}` : 'Loading…';
  rows.push({ kind: 'note', id: `${id}#note`, level: 3, label, parent: id, place: 1, siblings: 1, skill, failed: failure !== undefined, create: null });
}

function pushFolder(rows: Row[], source: TreeSource, skill: Brief, folder: Folder, prefix: string, parent: string, level: number): void {
  const files = [...folder.files].sort((a, b) => RANK[a.role] - RANK[b.role] || collator().compare(a.path, b.path));
  const first = files.filter((file) => file.role === 'main');
  const rest = files.filter((file) => file.role !== 'main');
  const folders = [...folder.folders].sort(([a], [b]) => collator().compare(a, b));
  const siblings = files.length + folders.length;
  let place = 0;
  const file = (entry: FileEntry): void => {
    place += 1;
    rows.push({ kind: 'file', id: fileId(skill, entry.path), level, label: baseName(entry.path), parent, place, siblings, skill, entry });
  };
  first.forEach(file);
  for (const [name, inner] of folders) {
    place += 1;
    const path = `${prefix}${name}`;
    const id = folderId(skill, path);
    rows.push({ kind: 'folder', id, level, label: name, parent, place, siblings, skill, path });
    if (source.isOpen(id)) pushFolder(rows, source, skill, inner, `${path}/`, id, level + 1);
  }
  rest.forEach(file);
}
