import type { SettingsEntry } from '$lib/features/settings';

export function entries(): SettingsEntry[] {
  return [
    { id: 'dspy-process', section: 'dspy', title: 'DSPy process', about: 'Status and log of the process that runs DSPy modules.', keywords: 'sidecar start restart status', control: { kind: 'part' } },
    { id: 'dspy-again', section: 'dspy', title: 'Outdated programs', about: 'Re-optimize programs that were compiled with another DSPy version.', keywords: 'outdated update state', control: { kind: 'part' } },
  ];
}
