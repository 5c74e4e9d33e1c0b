import type { SettingsEntry } from '$lib/features/settings';
import type { Services } from '$lib/workbench/services';

export function entries({ workspace }: Pick<Services, 'workspace'>): SettingsEntry[] {
  const sample = (): string | null => {
    const path = workspace.status?.sample_workspace ?? null;
    // The path of the open workspace is shown once.
    return path === workspace.current?.path ? null : path;
  };
  return [
    { id: 'workspaces', section: 'workspaces', title: 'Workspaces', about: 'Recently opened folders and their trust.', keywords: 'recent folders trusted revoke forget', control: { kind: 'part' } },
    { id: 'sample', section: 'data', order: 40, title: 'Sample workspace', about: 'A folder of example pages.', keywords: 'example folder', control: { kind: 'fact', text: sample, path: true, none: 'Currently open' } },
  ];
}
