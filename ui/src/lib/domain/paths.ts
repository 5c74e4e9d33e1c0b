import type { Kind } from '$lib/api/generated';

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

const PLACES: Record<Kind, [folder: string, ending: string]> = {
  description: ['descriptions/', '.md'],
  prompt_template: ['prompts/', '.j2'],
  code_template: ['scripts/', '.py'],
  dspy_module: ['dspy/', '.json'],
  approach: ['approach/', '.md'],
  example: ['examples/', '.json'],
};

/** The kind that a file's place or ending suggests. */
export function kindForPath(path: string): Kind {
  for (const kind of Object.keys(PLACES) as Kind[]) if (path.startsWith(PLACES[kind][0])) return kind;
  const ending = extensionOf(path);
  if (ending === 'py') return 'code_template';
  if (ending === 'json') return 'example';
  return ending === 'md' ? 'description' : 'prompt_template';
}

/** Where a new artifact goes; a clash with a taken path appends -2, -3. */
export function defaultPath(kind: Kind, name: string, taken: Iterable<string>): string {
  const used = new Set([...taken].map((path) => path.toLowerCase()));
  const [folder, ending] = PLACES[kind];
  const stem = slugify(name) || kind.replace('_', '-');
  for (let count = 1; ; count += 1) {
    const path = `${folder}${stem}${count === 1 ? '' : `-${count}`}${ending}`;
    if (!used.has(path.toLowerCase())) return path;
  }
}

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/** Says why a path can't be a file of a skill; null when it can. The core checks again. */
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

/** A link's target as its author would say it, so that `a%20b.md` and `a b.md` compare equal. */
export function decodedTarget(target: string): string {
  try {
    return decodeURI(target);
  } catch {
    return target;
  }
}

/** Where a relative link leads, as seen from the file that has it. */
export function pathFrom(file: string, target: string): string {
  const parts = file.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
