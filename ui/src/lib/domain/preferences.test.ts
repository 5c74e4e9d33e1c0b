import { expect, it } from 'vitest';
import type { Settings } from '$lib/api';
import { MAX_FONT_CHARS, Preferences } from './preferences.svelte';

it('keeps names of fonts from ending the style that they are in', () => {
  const stored = new Map<string, unknown>();
  const settings = { get: (key: string) => stored.get(key), set: (key: string, value: unknown) => stored.set(key, value) } as unknown as Settings;
  const fontOf = (name: unknown): string => {
    stored.set('ui.code_font', name);
    return new Preferences(settings).codeFont;
  };
  expect(['Fira Code', ' Iosevka ', 'a"; color: red', 'x\\{}', 7, 'ü'.repeat(100)].map(fontOf)).toEqual(['Fira Code', 'Iosevka', 'a color: red', 'x', '', 'ü'.repeat(MAX_FONT_CHARS)]);
  new Preferences(settings).setCodeFont(' ');
  expect(stored.get('ui.code_font')).toBeNull();
});
