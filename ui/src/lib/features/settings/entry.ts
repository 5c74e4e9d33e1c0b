import { type NumberSetting, queryWords, wordsAt } from '$lib/domain';
import type { Contributed, Source } from '$lib/workbench/contribution';
import type { IdOf } from '$lib/workbench/ids';
import type { Services } from '$lib/workbench/services';

export type SettingsSectionId = IdOf<'settings'>;

export interface SettingsSection extends Contributed {
  id: SettingsSectionId;
  label: string;
  about?: string;
  guide: string;
  /** Drawn above the section's entries. */
  before?: Source;
  /** Drawn below the section's entries. */
  after?: Source;
}

/** The exports of a feature's `settings.ts`, which is loaded with the settings or the guide. */
export interface SettingsModule {
  entries: (services: Services) => readonly SettingsEntry[];
}

interface Resettable {
  /** Whether it differs from the default. */
  changed: () => boolean;
  reset: () => void;
}

export type Control =
  | ({ kind: 'choice'; options: readonly { id: string; label: string }[]; value: () => string; choose: (id: string) => void } & Resettable)
  | ({ kind: 'switch'; label: string; on: () => boolean; turn: (on: boolean) => void } & Resettable)
  | ({ kind: 'text'; placeholder: string; max: number; value: () => string; set: (text: string) => void } & Resettable)
  | { kind: 'number'; setting: NumberSetting<string>; name: string; testid: string }
  /** Read-only. A `path` can be copied; `none` is shown if the text is null. `commands`: labels by command id. */
  | { kind: 'fact'; text: () => string | null; path?: boolean; none?: string; commands?: Readonly<Record<string, string>> }
  /** Buttons for commands; `labels` replace titles that are too long. */
  | { kind: 'commands'; ids: readonly string[]; labels?: Readonly<Record<string, string>>; value?: () => string }
  /** A part of a section that has its own form. */
  | { kind: 'part' };

export interface SettingsEntry {
  id: string;
  section: SettingsSectionId;
  /** Within the section; entries of the same order are sorted by feature. */
  order?: number;
  title: string;
  about: string;
  /** Extra search terms. */
  keywords?: string;
  control: Control;
}

export interface Hit {
  entry: SettingsEntry;
  /** Positions of matches in the title and the description. */
  title: readonly number[];
  about: readonly number[];
}

/** The settings that contain all words of the query, in their order. */
export function searchEntries(entries: readonly SettingsEntry[], sections: readonly SettingsSection[], query: string): Hit[] {
  const keywords = queryWords(query);
  if (keywords.length === 0) return [];
  return entries.flatMap((entry) => {
    const section = sections.find((one) => one.id === entry.section)?.label ?? '';
    const text = `${entry.title} ${entry.about} ${entry.keywords ?? ''} ${section}`.toLowerCase();
    if (!keywords.every((word) => text.includes(word))) return [];
    return [{ entry, title: wordsAt(query, entry.title), about: wordsAt(query, entry.about) }];
  });
}
