import type { SettingsEntry } from '$lib/features/settings';
import type { Services } from '$lib/workbench/services';
import { LIMIT_NAMES, LIMITS, ScriptLimits } from './limits.svelte';

export function entries({ settings }: Pick<Services, 'settings'>): SettingsEntry[] {
  const limits = new ScriptLimits(settings);
  return [
    ...LIMIT_NAMES.map(
      (name): SettingsEntry => ({ id: `script-${name}`, section: 'scripts', title: LIMITS[name].label, about: LIMITS[name].help, keywords: `sandbox limit cpu ${LIMITS[name].unit}`, control: { kind: 'number', setting: limits, name, testid: 'script-limit' } }),
    ),
  ];
}
