import type { Services } from '$lib/workbench/services';
import { loadEntries } from './loadEntries';

export async function guidePage(services: Services): Promise<{ default: string }> {
  const entries = await loadEntries(services);
  const parts = services.contributions.of('settingsSections').map(({ id, label }) => {
    const rows = entries.filter((entry) => entry.section === id).map((entry) => `- **${entry.title}**: ${entry.about}`);
    return `## ${label}\n\n${rows.join('\n')}`;
  });
  return {
    default: `# Settings\n\n{key:view.settings} opens the settings. Changes apply immediately, in every folder. Modified settings are marked and can be reset. [Show me](#run/view.settings)\n\n${parts.join('\n\n')}\n`,
  };
}
