import { sentence } from '$lib/api';
import { baseName, formatNumber } from '$lib/domain';
import type { Diagnostic, ImportItem, ImportReport, ImportStatus, PathMerge } from '$lib/api/generated';
import { filesOf, STATUSES } from './takes';

/** What is odd about a skill and what to do about it: in one line where there is room for both. */
export type NotePart = 'all' | 'message' | 'hint';

/** Characters of a line. */
const ROOM = 110;

/** A line of the list: a skill, what was odd about it, or one of its files. */
export type ImportRow =
  | { kind: 'skill'; id: string; item: ImportItem; open: boolean }
  | { kind: 'note'; id: string; item: ImportItem | null; diagnostic: Diagnostic; part: NotePart }
  | { kind: 'file'; id: string; item: ImportItem; file: PathMerge };

/** Which of them are looked at. */
export interface ImportFilter {
  status: ImportStatus | 'all';
  text: string;
}

export const nameOf = (item: ImportItem): string => item.name ?? item.slug ?? baseName(item.path);

/** Those that a filter lets through. Once they are stored, those that weren't because something is wrong come first. */
export function shownItems(items: readonly ImportItem[], { status, text }: ImportFilter, applied = false): readonly ImportItem[] {
  const words = text.trim().toLowerCase();
  const shown = items.filter((item) => (status === 'all' || item.status === status) && (words === '' || `${nameOf(item)}\n${item.slug ?? ''}\n${item.path}`.toLowerCase().includes(words)));
  if (!applied || status !== 'all') return shown;
  return [...shown.filter((item) => item.status === 'refused'), ...shown.filter((item) => item.status !== 'refused')];
}

/** The lines of the list; `open` has the paths of the skills whose files are shown. */
export function rowsOf(items: readonly ImportItem[], open: ReadonlySet<string>, remarks: readonly Diagnostic[] = []): ImportRow[] {
  const rows: ImportRow[] = [];
  const note = (item: ImportItem | null, diagnostic: Diagnostic, id: string): void => {
    const { message, hint } = diagnostic;
    const parts: NotePart[] = hint && message.length + hint.length > ROOM ? ['message', 'hint'] : ['all'];
    for (const part of parts) rows.push({ kind: 'note', id: `${id} ${part}`, item, diagnostic, part });
  };
  remarks.forEach((diagnostic, at) => note(null, diagnostic, `remark ${at}`));
  for (const item of items) {
    const shown = open.has(item.path) && filesOf(item).length > 0;
    rows.push({ kind: 'skill', id: item.path, item, open: shown });
    item.diagnostics.forEach((diagnostic, at) => note(item, diagnostic, `${item.path}\n${at}`));
    if (shown) for (const file of filesOf(item)) rows.push({ kind: 'file', id: `${item.path}\n/${file.path}`, item, file });
  }
  return rows;
}

/** Where it is in what was chosen. */
export function placeIn(paths: readonly string[], path: string): string {
  const root = paths.map((one) => (one.endsWith('/') ? one : `${one}/`)).find((one) => path.startsWith(one)) ?? '';
  return path.slice(root.length);
}

/** What a diagnostic says, with the paths as short as in the list. */
export function noteText({ rule, file, message, hint }: Diagnostic, paths: readonly string[], item: ImportItem | null, part: NotePart = 'all'): string {
  const where = file && file !== item?.path ? `${placeIn(paths, file)}: ` : '';
  const short = (text: string): string => paths.reduce((rest, root) => rest.split(root.endsWith('/') ? root : `${root}/`).join(''), sentence(text));
  // The core's own words are for whoever types commands.
  const todo = rule === 'import/duplicate' ? 'Import one of them, or choose “Rename duplicates”.' : hint ? short(hint) : '';
  return [part === 'hint' ? '' : `${where}${short(message)}`, part === 'message' ? '' : todo].filter(Boolean).join(' ');
}

/** The filters that have something to show. */
export const filtersOf = (counts: ReadonlyMap<ImportStatus, number>): ImportStatus[] => STATUSES.filter((status) => (counts.get(status) ?? 0) > 0);

/** "412 imported, 3 skipped, 2 refused" */
export function summaryOf({ items, found, stopped }: ImportReport): string {
  const stored = items.filter((item) => item.stored).length;
  const refused = items.filter(({ status }) => status === 'refused').length;
  const unchanged = items.filter(({ status }) => status === 'unchanged').length;
  const parts: [number, string][] = [[items.length - stored - refused - unchanged, 'skipped'], [unchanged, 'unchanged'], [refused, 'refused']];
  const words = [`${formatNumber(stored)} imported`, ...parts.filter(([count]) => count > 0).map(([count, word]) => `${formatNumber(count)} ${word}`)].join(', ');
  return stopped ? `Canceled after ${formatNumber(items.length)} of ${formatNumber(found)}: ${words}` : words;
}
