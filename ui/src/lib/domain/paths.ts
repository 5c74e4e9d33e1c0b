import type { ArtifactKind } from '$lib/api/generated';

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const folderOf = (path: string): string => {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
};

export const extensionOf = (path: string): string => {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
};

/** A title as part of a path: lower case, no marks, runs of anything else become one hyphen. */
export function slugify(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');
}

const FOLDERS: Record<ArtifactKind, [folder: string, ending: string]> = {
  description: ['descriptions/', '.md'],
  prompt_template: ['prompts/', '.j2'],
  code_template: ['scripts/', '.py'],
  dspy_module: ['dspy/', '.json'],
  approach: ['approach/', '.md'],
  example: ['examples/', '.json'],
};

/** The kind that a file's folder or extension suggests. */
export function kindForPath(path: string): ArtifactKind {
  for (const kind of Object.keys(FOLDERS) as ArtifactKind[]) if (path.startsWith(FOLDERS[kind][0])) return kind;
  const ending = extensionOf(path);
  if (ending === 'py') return 'code_template';
  if (ending === 'json') return 'example';
  return ending === 'md' ? 'description' : 'prompt_template';
}

/** Where a new artifact goes; an existing path gets -2, -3. */
export function defaultPath(kind: ArtifactKind, name: string, taken: Iterable<string>): string {
  const used = new Set([...taken].map((path) => path.toLowerCase()));
  const [folder, ending] = FOLDERS[kind];
  const stem = slugify(name) || kind.replace('_', '-');
  for (let count = 1; ; count += 1) {
    const path = `${folder}${stem}${count === 1 ? '' : `-${count}`}${ending}`;
    if (!used.has(path.toLowerCase())) return path;
  }
}

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/** Null if the path is valid. The core checks again. */
export function pathProblem(path: string, taken: Iterable<string>): string | null {
  if (path.trim() === '') return 'Enter a path, such as references/notes.md.';
  if (path !== path.trim()) return 'A path can’t start or end with a space.';
  if (path.startsWith('/') || path.endsWith('/') || path.includes('\\')) return 'Use a relative path with forward slashes.';
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'A path can’t contain empty parts, . or ..';
  if (parts.some((part) => RESERVED.test(part))) return 'This name is reserved on some systems.';
  if (new TextEncoder().encode(path).length > 240) return 'A path can’t be longer than 240 bytes.';
  const folded = path.normalize('NFC').toLowerCase();
  for (const other of taken) {
    if (other.normalize('NFC').toLowerCase() === folded) return `${other} already exists.`;
  }
  return null;
}

/** Decodes a link's target, so that `a%20b.md` and `a b.md` compare equal. */
export function decodedTarget(target: string): string {
  try {
    return decodeURI(target);
  } catch {
    return target;
  }
}

/** Resolves a relative link of the file at `from`. */
export function pathFrom(file: string, target: string): string {
  const parts = file.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
