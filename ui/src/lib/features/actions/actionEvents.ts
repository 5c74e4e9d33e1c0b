import type { SkillKey } from '$lib/api';
import type { SkillDetail } from '$lib/api/generated';

export interface ActionEvents {
  open: (key: SkillKey, path: string) => void;
  /** Selects added files in the tree, or the skill itself if there are none, without moving the focus. */
  reveal: (skill: SkillDetail, paths: readonly string[]) => void;
  moved: (key: SkillKey, from: string, to: string) => void;
  closed: (key: SkillKey, path?: string) => void;
  /** Saves unsaved text of open editors as drafts. */
  saveDrafts: () => Promise<void>;
  isDirty: (key: SkillKey, path: string) => boolean;
}
