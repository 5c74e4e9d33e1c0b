import type { Services } from '$lib/workbench/services';
import type { SettingsEntry } from './entry';

/** The settings of all features, in the order of the page. Throws if two have the same id, or a section is unknown. */
export async function loadEntries(services: Services): Promise<readonly SettingsEntry[]> {
  const { contributions } = services;
  const sections = contributions.of('settingsSections').map(({ id }) => id);
  const modules = await Promise.all(contributions.all('settings').map((load) => load()));
  const entries = modules.flatMap((one) => one.entries(services));
  const ids = new Set<string>();
  for (const { id, section } of entries) {
    if (ids.has(id)) throw new Error(`setting ${id} exists twice`);
    if (!sections.includes(section)) throw new Error(`setting ${id} is in an unknown section, ${section}`);
    ids.add(id);
  }
  const sectionIndex = ({ section }: SettingsEntry): number => sections.indexOf(section);
  return entries.toSorted((a, b) => sectionIndex(a) - sectionIndex(b) || (a.order ?? 0) - (b.order ?? 0));
}
