import type { Services } from '$lib/workbench/services';
import type { SettingsEntry } from './entry';
import type { ThemeChoice } from './theme.svelte';

export function entries({ theme }: Pick<Services, 'theme'>): SettingsEntry[] {
  return [
    {
      id: 'theme',
      section: 'general', order: 10,
      title: 'Theme',
      about: 'Color theme of all windows.',
      keywords: 'dark light color colour appearance',
      control: {
        kind: 'choice',
        options: [
          { id: 'system', label: 'System' },
          { id: 'light', label: 'Light' },
          { id: 'dark', label: 'Dark' },
        ],
        value: () => theme.choice,
        choose: (id) => theme.choose(id as ThemeChoice),
        changed: () => theme.choice !== 'system',
        reset: () => theme.choose('system'),
      },
    },
    {
      id: 'motion',
      section: 'general', order: 30,
      title: 'Reduced motion',
      about: 'Follows the system setting.',
      keywords: 'animation accessibility',
      control: { kind: 'fact', text: () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'On' : 'Off') },
    },
  ];
}
