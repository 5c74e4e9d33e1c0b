import { type Command, type Commands, normalize } from '$lib/commands';
import { queryWords } from '$lib/domain';
import { EDITOR_KEYS } from './editorKeys';

export interface KeyRow {
  id: string;
  title: string;
  group: string;
  keys: readonly string[];
  /** Null: a shortcut of the text, which can’t be changed. */
  command: Command | null;
}

/** Shortcuts of the text come last. */
export function allRows(commands: Commands): KeyRow[] {
  return [
    ...commands.list.map((command) => ({ id: command.id, title: command.title, group: command.group, keys: commands.keysOf(command.id), command })),
    ...EDITOR_KEYS.map(([title, keys]) => ({ id: `text.${title}`, title, group: 'Text', keys, command: null })),
  ];
}

/** Rows that contain all words of the query; with `exact`, rows with the recorded shortcut. */
export function filterRows(rows: readonly KeyRow[], query: string, exact: boolean): KeyRow[] {
  if (exact) {
    const wanted = normalize(query);
    return rows.filter((row) => row.keys.some((key) => normalize(key) === wanted));
  }
  const keywords = queryWords(query);
  return rows.filter((row) => {
    const text = `${row.title} ${row.group} ${row.command?.keywords ?? ''} ${row.keys.join(' ')}`.toLowerCase();
    return keywords.every((word) => text.includes(word));
  });
}
