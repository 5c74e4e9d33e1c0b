import { type NumberSetting, queryWords, wordsAt } from '$lib/domain';
import { SECTIONS, type SettingsSection } from './sections';

interface Changing {
  /** It differs from the default. */
  changed: () => boolean;
  reset: () => void;
}

export type Control =
  | ({ kind: 'choice'; options: readonly { id: string; label: string }[]; value: () => string; choose: (id: string) => void } & Changing)
  | ({ kind: 'switch'; label: string; on: () => boolean; turn: (on: boolean) => void } & Changing)
  | { kind: 'number'; setting: NumberSetting<string>; name: string; testid: string }
  /** Only said; a path can be copied. Null: there is none, which `none` says. Commands, by id with their labels, are about it. */
  | { kind: 'fact'; text: () => string | null; path?: boolean; none?: string; commands?: Readonly<Record<string, string>> }
  /** Done by commands, each with its keys; their titles may be too long for a button. */
  | { kind: 'commands'; ids: readonly string[]; labels?: Readonly<Record<string, string>>; value?: () => string }
  /** A part of a section that has its own form. */
  | { kind: 'part' };

/** One line of the one table of settings: the page, its search and the guide read it. */
export interface Entry {
  id: string;
  section: SettingsSection;
  title: string;
  about: string;
  /** Extra words that find it. */
  words?: string;
  control: Control;
}

export interface Hit {
  entry: Entry;
  /** Where in the title and the description the words of the query are. */
  title: readonly number[];
  about: readonly number[];
}

/** Settings that have all words of the query, in the table's order. */
export function searchEntries(entries: readonly Entry[], query: string): Hit[] {
  const words = queryWords(query);
  if (words.length === 0) return [];
  return entries.flatMap((entry) => {
    const section = SECTIONS.find((one) => one.id === entry.section)?.label ?? '';
    const text = `${entry.title} ${entry.about} ${entry.words ?? ''} ${section}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return [];
    return [{ entry, title: wordsAt(query, entry.title), about: wordsAt(query, entry.about) }];
  });
}
