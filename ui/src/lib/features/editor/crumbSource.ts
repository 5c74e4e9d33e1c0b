import type { CrumbSource } from '$lib/features/editor';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'files' | 'workspace'>;

/** The data of the breadcrumbs. */
export function crumbSource(services: Needs): CrumbSource {
  const { catalog, files, workspace } = services;
  return {
    scopes: () => [
      ...(workspace.current ? [{ scope: 'workspace' as const, label: workspace.current.name }] : []),
      { scope: 'account' as const, label: 'Account' },
    ],
    skills: (scope) => catalog.skills.filter((skill) => skill.scope === scope).sort((a, b) => a.name.localeCompare(b.name)),
    entries: (key) => catalog.details.get(key)?.entries ?? null,
    load: (key) => catalog.details.load(key),
    openFile: (key, path) => files.open(key, path),
  };
}
