import type { SkillKey } from '$lib/api';
import { baseName } from '$lib/domain';
import type { Comparison } from '$lib/features/editor';
import type { Info } from '$lib/features/inspector';

interface Wanted {
  key: SkillKey;
  path: string;
  number: number;
  /** The skill's revision now. */
  current: number;
  against: 'before' | 'now';
}

/** A file at a revision beside what it was before that, or is now. */
export async function compareRevision(info: Info, { key, path, number, current, against }: Wanted): Promise<Comparison> {
  const [left, right] = against === 'before' ? [number - 1, number] : [number, current];
  const [before, after] = await Promise.all([info.textAt(key, left, path), info.textAt(key, right, path)]);
  return {
    id: `${key.scope}:${key.id}/${path}@${left}-${right}`,
    title: `${baseName(path)} (${left} → ${right})`,
    path,
    left: { label: `Revision ${left}`, text: before },
    right: { label: right === current ? `Revision ${right}, now` : `Revision ${right}`, text: after },
  };
}
