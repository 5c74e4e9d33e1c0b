import type { SettingsEntry } from '$lib/features/settings';
import type { Services } from '$lib/workbench/services';
import { Retention, RETENTION, RETENTION_NAMES } from './retention.svelte';

export function entries({ settings }: Pick<Services, 'settings'>): SettingsEntry[] {
  const retention = new Retention(settings);
  return [
    ...RETENTION_NAMES.map(
      (name): SettingsEntry => ({ id: `retention-${name}`, section: 'runs', title: RETENTION[name].label, about: RETENTION[name].help, keywords: `retention keep traces history ${RETENTION[name].unit}`, control: { kind: 'number', setting: retention, name, testid: 'retention-field' } }),
    ),
  ];
}
