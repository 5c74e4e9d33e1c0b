import type { SkillKey } from '$lib/api';
import { tally } from '$lib/domain';
import type { TreeMarks } from '$lib/features/tree';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'tabs'>;

/** What open editors and the last reading of a skill say of its rows in the tree. Only rows in sight ask. */
export function treeMarks(services: Needs): TreeMarks {
  const open = ({ scope, id }: SkillKey, path?: string) =>
    services.tabs.documents.filter((one) => one.skillId === id && one.scope === scope && (path === undefined || one.path === path));
  return {
    problems: (key, path) => {
      const live = open(key, path).filter((document) => document.status === 'ready' && document.saved !== null);
      const stored = services.catalog.detail(key)?.diagnostics ?? [];
      const rest = stored.filter(({ file }) => (path === undefined || file === path) && !live.some((document) => document.path === file));
      return tally([...live.flatMap((document) => document.diagnostics), ...rest]);
    },
    isDirty: (key, path) => open(key, path).some((document) => document.dirty),
  };
}
