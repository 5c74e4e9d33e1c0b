import { CODE_SIZES, MAX_FONT_CHARS, plural, TAB_SIZES } from '$lib/domain';
import { flag, type SettingsEntry } from '$lib/features/settings';
import type { Services } from '$lib/workbench/services';

const sizes = (all: readonly number[], unit: string): { id: string; label: string }[] => all.map((size) => ({ id: String(size), label: `${size} ${unit}` }));

export function entries(services: Pick<Services, 'autosave' | 'catalog' | 'preferences' | 'settings'>): SettingsEntry[] {
  const { autosave, preferences } = services;
  return [
    {
      id: 'code-font',
      section: 'editor',
      title: 'Font',
      about: 'Name of an installed font for editors, such as Fira Code.',
      keywords: 'family typeface monospace code',
      control: {
        kind: 'text',
        placeholder: 'JetBrains Mono',
        max: MAX_FONT_CHARS,
        value: () => preferences.codeFont,
        set: (font) => preferences.setCodeFont(font),
        changed: () => preferences.codeFont !== '',
        reset: () => preferences.setCodeFont(null),
      },
    },
    {
      id: 'code-ligatures',
      section: 'editor',
      title: 'Ligatures',
      about: 'Show combined characters such as arrows, if the font has them.',
      keywords: 'font fira code operators',
      control: { kind: 'switch', label: 'Show ligatures', on: () => preferences.hasLigatures, turn: (on) => preferences.setLigatures(on), changed: () => preferences.hasLigatures, reset: () => preferences.setLigatures(null) },
    },
    {
      id: 'code-size',
      section: 'editor',
      title: 'Font size',
      about: 'Font size in pixels in editors.',
      keywords: 'code letters bigger smaller',
      control: {
        kind: 'choice',
        options: sizes(CODE_SIZES, 'px'),
        value: () => String(preferences.codeSize),
        choose: (id) => preferences.setCodeSize(Number(id)),
        changed: () => preferences.codeSize !== 13,
        reset: () => preferences.setCodeSize(null),
      },
    },
    {
      id: 'tab-size',
      section: 'editor',
      title: 'Tab size',
      about: 'Number of spaces per tab character.',
      keywords: 'indent width spaces',
      control: {
        kind: 'choice',
        options: sizes(TAB_SIZES, 'characters'),
        value: () => String(preferences.tabSize),
        choose: (id) => preferences.setTabSize(Number(id)),
        changed: () => preferences.tabSize !== 4,
        reset: () => preferences.setTabSize(null),
      },
    },
    { id: 'wrap-prose', section: 'editor', title: 'Word wrap in prose', about: 'Wrap long lines in Markdown and plain text.', keywords: 'word wrap markdown', control: flag(services, 'ui.wrap', 'Wrap', true, 'prose') },
    { id: 'wrap-code', section: 'editor', title: 'Word wrap in code', about: 'Wrap long lines in templates, scripts and data.', keywords: 'word wrap python json', control: flag(services, 'ui.wrap', 'Wrap', false, 'code') },
    { id: 'format', section: 'editor', title: 'Format on save', about: 'Format files on save. Files with errors are saved unformatted.', keywords: 'prettier beautify', control: flag(services, 'ui.format_on_save', 'Format', false) },
    {
      id: 'autosave',
      section: 'editor',
      title: 'Autosave',
      about: 'Saved text is a revision, and is written to the folder of a linked skill.',
      keywords: 'auto save automatically delay focus',
      control: {
        kind: 'choice',
        options: [
          { id: 'off', label: 'Off' },
          { id: 'delay', label: 'After a second' },
          { id: 'focus', label: 'When you leave the file' },
        ],
        value: () => autosave.choice,
        choose: (id) => autosave.choose(id as typeof autosave.choice),
        changed: () => autosave.choice !== 'off',
        reset: () => autosave.choose(null),
      },
    },
    {
      id: 'drafts',
      section: 'editor',
      title: 'Drafts',
      about: 'Unsaved changes are kept as drafts and restored after a crash.',
      keywords: 'autosave unsaved crash recovery',
      control: { kind: 'fact', text: () => (services.catalog.drafts.list.length === 0 ? 'No drafts' : plural(services.catalog.drafts.list.length, 'draft')) },
    },
  ];
}
