import lt from 'semver/functions/lt';
import valid from 'semver/functions/valid';
import { type SkillKey, skillKey } from '$lib/api';
import { capital } from '$lib/domain';
import type { Diagnostic, Publish } from '$lib/api/generated';

/** What the user typed in place of what is proposed. */
export interface ReleaseEdit {
  version?: string;
  changelog?: string;
}

/** A skill of the plan with what the user changed. */
export interface PlannedRow {
  id: string;
  skill: Publish.PlannedSkill;
  version: string;
  changelog: string;
  /** Why the version can’t be published; null if it can. */
  problem: string | null;
  /** What is questionable about the version. */
  warning: string | null;
  errors: readonly Diagnostic[];
  others: readonly Diagnostic[];
}

/** Of the version that the plan proposes. */
const VERSION_RULE = 'release/compatibility';

/** Null for a skill on disk. */
export const keyOf = ({ id, scope }: Publish.PlannedSkill): SkillKey | null => (id === null || scope === null ? null : { id, scope });

export const rowId = (skill: Publish.PlannedSkill): string => {
  const key = keyOf(skill);
  return key === null ? skill.slug : skillKey(key);
};

export const isReleased = ({ skill: { state } }: PlannedRow): boolean => state === 'new' || state === 'update';

export function plannedRow(skill: Publish.PlannedSkill, edit: ReleaseEdit): PlannedRow {
  const version = (edit.version ?? skill.next_version ?? skill.version).trim();
  const isEdited = version !== skill.next_version;
  const diagnostics = skill.diagnostics.filter(({ rule }) => !isEdited || rule !== VERSION_RULE);
  return {
    id: rowId(skill),
    skill,
    version: edit.version ?? skill.next_version ?? skill.version,
    changelog: edit.changelog ?? skill.changelog,
    problem: skill.state === 'new' || skill.state === 'update' ? versionProblem(version, skill) : null,
    warning: isEdited ? versionWarning(version, skill) : null,
    errors: diagnostics.filter(({ severity }) => severity === 'error'),
    others: diagnostics.filter(({ severity }) => severity !== 'error'),
  };
}

/** The library also accepts versions such as "v1.2.3". */
const isVersion = (text: string): boolean => /^\d/.test(text) && valid(text) !== null;

/** False for versions with larger numbers than the library reads; the core reads them. */
const isLower = (one: string, other: string): boolean => isVersion(one) && isVersion(other) && lt(one, other);

function versionProblem(version: string, { last }: Publish.PlannedSkill): string | null {
  if (version === '') return 'Enter a version.';
  if (!isVersion(version)) return `“${version}” isn’t a semantic version. Use a version such as 1.2.0.`;
  return version === last?.version ? `${version} was published before. Use a higher version.` : null;
}

function versionWarning(version: string, { last, required_version: required, reasons }: Publish.PlannedSkill): string | null {
  if (last === null) return null;
  if (isLower(version, last.version)) return `${version} is lower than ${last.version}, which is published.`;
  const [reason] = reasons;
  if (required === null || reason === undefined) return null;
  return isLower(version, required) ? `${version} looks compatible, but it ${reason}. Use ${required}.` : null;
}

const BUMPS: Readonly<Record<Publish.VersionBump, string>> = { major: 'Major release', minor: 'Minor release', patch: 'Patch release' };

/** "Major release: Removes the artifact draft. Adds the file run.sh." */
export function bumpReason({ bump, reasons }: Publish.PlannedSkill): string | null {
  if (bump === null) return null;
  return `${BUMPS[bump]}: ${reasons.length === 0 ? 'Only texts changed.' : reasons.map((reason) => `${capital(reason)}.`).join(' ')}`;
}

export const STATE_LABELS: Readonly<Record<Publish.PlannedState, string>> = { new: 'New', update: 'Update', unchanged: 'Unchanged', blocked: 'Blocked' };
