import { type Command, type Commands, normalise } from '$lib/commands';
import { queryWords } from '$lib/domain';
import { EDITOR_KEYS } from './editorKeys';

export interface KeyRow {
  id: string;
  title: string;
  group: string;
  keys: readonly string[];
  /** Null: a key of the text, which can't be changed. */
  command: Command | null;
}

/** Every action with its keys, those of the text last. */
export function allRows(commands: Commands): KeyRow[] {
  return [
    ...commands.list.map((command) => ({ id: command.id, title: command.title, group: command.group, keys: commands.keysOf(command.id), command })),
    ...EDITOR_KEYS.map(([title, keys]) => ({ id: `text.${title}`, title, group: 'Text', keys, command: null })),
  ];
}

/** Rows whose action, place or keys have all words of the query; with `exact` it is one shortcut that was pressed. */
export function filterRows(rows: readonly KeyRow[], query: string, exact: boolean): KeyRow[] {
  if (exact) {
    const wanted = normalise(query);
    return rows.filter((row) => row.keys.some((key) => normalise(key) === wanted));
  }
  const words = queryWords(query);
  return rows.filter((row) => {
    const text = `${row.title} ${row.group} ${row.command?.words ?? ''} ${row.keys.join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
