import type { Services } from '$lib/workbench/services';
import type { Remedy } from './readiness.svelte';

/** What opens the place where a requirement can be set up. */
export const remedies = ({ dspy, folders, settingsPage }: Pick<Services, 'dspy' | 'folders' | 'settingsPage'>): Record<Remedy, () => void> => ({
  models: () => settingsPage.open('models'),
  dspy: () => dspy.openSettings(),
  folder: () => folders.openFolder(),
});
