import type { SkillKey } from '$lib/api';
import { tally, tildePath } from '$lib/domain';
import { loadedText } from '$lib/features/editor';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'catalog' | 'links' | 'tabs' | 'workspace'>;

/** What the rows of skills and files show beside their names. */
export interface TreeMarks {
  /** Errors and warnings of a file, or of a skill with all its files. */
  problems: (key: SkillKey, path?: string) => { errors: number; warnings: number };
  /** Whether an open editor has unsaved text. */
  isDirty: (key: SkillKey, path?: string) => boolean;
  hasDraft: (key: SkillKey, path?: string) => boolean;
  /** The folder whose files are the skill's. Null if it isn't linked. */
  link: (key: SkillKey) => { title: string; problem: string | null } | null;
}

/** The marks of open editors and of the loaded skills. Only visible rows ask for theirs. */
export function treeMarks(services: Needs): TreeMarks {
  const open = ({ scope, id }: SkillKey, path?: string) =>
    services.tabs.documents.list.filter(({ file }) => file.skill.id === id && file.skill.scope === scope && (path === undefined || file.path === path));
  return {
    problems: (key, path) => {
      const live = open(key, path).filter((document) => loadedText(document));
      const stored = services.catalog.details.get(key)?.diagnostics ?? [];
      const rest = stored.filter(({ file }) => (path === undefined || file === path) && !live.some((document) => document.file.path === file));
      return tally([...live.flatMap((document) => document.diagnostics.list), ...rest]);
    },
    isDirty: (key, path) => open(key, path).some((document) => document.content.dirty),
    hasDraft: (key, path) => services.catalog.drafts.has(key, path),
    link: (key) => {
      const link = services.links.of(key);
      if (!link) return null;
      const folder = tildePath(link.folder, services.workspace.home);
      const title = link.agent_name === null ? `linked to ${folder}` : `linked to ${folder} (${link.agent_name})`;
      return { title, problem: link.problem };
    },
  };
}
