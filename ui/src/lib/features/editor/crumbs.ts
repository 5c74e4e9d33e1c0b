import type { SkillKey } from '$lib/api';
import { baseName, kindOf } from '$lib/domain';
import type { FileEntry, Scope } from '$lib/api/generated';
import type { OutlineItem } from './headings';
import type { PickItem } from './pickItem';

// Breadcrumbs: scope > skill > folders > file > symbols around the cursor. Each opens a list of its siblings.

/** The data of the breadcrumbs. */
export interface CrumbSource {
  /** "Account", and the workspace's name when one is open. */
  scopes: () => readonly { scope: Scope; label: string }[];
  skills: (scope: Scope) => readonly (SkillKey & { name: string; slug: string })[];
  /** Null until loaded. */
  entries: (key: SkillKey) => readonly FileEntry[] | null;
  load: (key: SkillKey) => Promise<unknown>;
  openFile: (key: SkillKey, path: string) => void;
}

/** The list that a breadcrumb opens. */
export type Level =
  | { kind: 'scopes' }
  | { kind: 'skills'; scope: Scope }
  | { kind: 'files'; key: SkillKey; folder: string }
  | { kind: 'symbols' };

export interface Crumb {
  id: string;
  label: string;
  level: Level;
  /** Its index in that list. */
  chosen: string;
}

/** The file of the breadcrumbs. */
export interface Whereabouts {
  key: SkillKey;
  skill: string;
  path: string;
}

export type Step = { open: string; key: SkillKey } | { into: Level } | { line: number };

export interface Choice extends PickItem {
  step: Step;
}

const skillId = ({ scope, id }: SkillKey): string => `${scope}:${id}`;

export function crumbsOf(source: CrumbSource, { key, skill, path }: Whereabouts, symbol: OutlineItem | null): Crumb[] {
  const scope = source.scopes().find((one) => one.scope === key.scope)?.label ?? key.scope;
  const parts = path.split('/');
  const files = parts.map((label, index): Crumb => {
    const id = parts.slice(0, index + 1).join('/');
    return { id: `file:${id}`, label, level: { kind: 'files', key, folder: parts.slice(0, index).join('/') }, chosen: id };
  });
  return [
    { id: 'scope', label: scope, level: { kind: 'scopes' }, chosen: key.scope },
    { id: 'skill', label: skill, level: { kind: 'skills', scope: key.scope }, chosen: skillId(key) },
    ...files,
    ...(symbol ? [{ id: 'symbol', label: symbol.name, level: { kind: 'symbols' } as const, chosen: `line:${symbol.line}` }] : []),
  ];
}

/** The items of a list. Null until loaded. */
export function choicesOf(source: CrumbSource, level: Level, outline: readonly OutlineItem[], chosen = ''): Choice[] | null {
  switch (level.kind) {
    case 'scopes':
      return source.scopes().map(({ scope, label }) => ({ id: scope, text: label, current: scope === chosen, step: { into: { kind: 'skills', scope } } }));
    case 'skills':
      return source.skills(level.scope).map((skill) => {
        const id = skillId(skill);
        const key = { scope: skill.scope, id: skill.id };
        return { id, text: skill.name, note: skill.slug, current: id === chosen, step: { into: { kind: 'files', key, folder: '' } } };
      });
    case 'files': {
      const entries = source.entries(level.key);
      return entries && filesIn(entries, level, chosen);
    }
    case 'symbols':
      return outline.map((item) => ({
        id: `line:${item.line}`,
        text: item.name,
        note: item.kind,
        level: item.level - 1,
        current: `line:${item.line}` === chosen,
        step: { line: item.line },
      }));
  }
}

/** The folders and files of one folder, folders first. */
function filesIn(entries: readonly FileEntry[], { key, folder }: { key: SkillKey; folder: string }, chosen: string): Choice[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const folders = new Map<string, Choice>();
  const files: Choice[] = [];
  for (const entry of entries) {
    if (!entry.path.startsWith(prefix)) continue;
    const rest = entry.path.slice(prefix.length);
    const slash = rest.indexOf('/');
    if (slash < 0) {
      files.push({ id: entry.path, text: baseName(entry.path), current: entry.path === chosen, file: { path: entry.path, kind: kindOf(entry) }, step: { open: entry.path, key } });
      continue;
    }
    const path = prefix + rest.slice(0, slash);
    if (!folders.has(path)) folders.set(path, { id: path, text: rest.slice(0, slash), current: path === chosen, step: { into: { kind: 'files', key, folder: path } } });
  }
  return [...folders.values(), ...files];
}
