import { hintOf, skillKey } from '$lib/api';
import { plural } from '$lib/domain';
import type { ExportItem } from '$lib/api/generated';

type Items = readonly ExportItem[];

/** A failure or diagnostic of a skill. */
export interface ExportNote {
  id: string;
  tone: 'error' | 'warning' | 'info' | 'hint';
  /** The skill; empty where there is only one. */
  skill: string;
  text: string;
  hint: string | null;
}

export function notesOf(items: Items): ExportNote[] {
  return items.flatMap((item) => {
    const { name, failure, diagnostics } = item;
    const id = skillKey(item);
    const skill = items.length > 1 ? name : '';
    const found = diagnostics.map(({ severity, message, hint }, at) => ({ id: `${id} ${at}`, tone: severity, skill, text: message, hint }));
    return failure === null ? found : [{ id, tone: 'error' as const, skill, text: failure.message, hint: hintOf(failure) }, ...found];
  });
}

/** The skills that were exported, or can be. */
export const exportable = (items: Items): Items => items.filter(({ failure }) => failure === null);

/** The skills whose destination exists. */
export const existing = (items: Items): Items => items.filter(({ failure }) => failure?.code === 'exists');

/** "12 skills with 48 files" */
export function sizeOf(items: Items): string {
  const skills = exportable(items);
  const files = plural(skills.reduce((sum, { files }) => sum + files, 0), 'file');
  return items.length === 1 ? files : `${plural(skills.length, 'skill')} with ${files}`;
}
