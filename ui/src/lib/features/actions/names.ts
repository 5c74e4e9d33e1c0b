import { baseName, folderOf } from '$lib/domain';
import type { SkillDetail } from '$lib/api/generated';

export const mainOf = (detail: SkillDetail): string =>
  detail.entries.find((entry) => entry.role === 'main')?.path ?? detail.entries[0]?.path ?? 'SKILL.md';

export const inFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** The first of `notes-copy`, `notes-copy-2`, … that doesn't exist. */
export function freeFolder(path: string, used: readonly string[]): string {
  for (let count = 1; ; count += 1) {
    const wanted = inFolder(folderOf(path), `${baseName(path)}-copy${count === 1 ? '' : `-${count}`}`);
    const folded = wanted.toLowerCase();
    if (!used.some((other) => other.toLowerCase() === folded || other.toLowerCase().startsWith(`${folded}/`))) return wanted;
  }
}
