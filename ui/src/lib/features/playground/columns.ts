import { isRecord } from '$lib/domain';
import type { Settings } from '$lib/api';
import type { DocumentKey } from '$lib/features/editor';
import type { ModelRef } from '$lib/api/generated';

/** What one column of a playground runs. */
export interface ColumnSpec {
  /** Path of the artifact, which may be another variant than the opened one. */
  artifact: string;
  /** Null for the default model. */
  model: ModelRef | null;
  /** Null for the current one. */
  revision: number | null;
}

/** A column with its last successful run, whose output is shown again after a restart. */
export interface StoredColumn extends ColumnSpec {
  run: string | null;
}

/** All columns run at once. */
export const MAX_COLUMNS = 6;
const MAX_PLAYGROUNDS = 100;
const SETTING = 'playground.columns';

export const playgroundKey = ({ scope, skillId, path }: DocumentKey): string => `${scope}:${skillId}/${path}`;

/** The stored columns; one for the artifact itself without them. */
export function readColumns(settings: Settings, target: DocumentKey): StoredColumn[] {
  const value = settings.get(SETTING);
  const stored = isRecord(value) ? value[playgroundKey(target)] : null;
  const columns = Array.isArray(stored) ? stored.flatMap((one) => readColumn(one) ?? []).slice(0, MAX_COLUMNS) : [];
  return columns.length > 0 ? columns : [{ artifact: target.path, model: null, revision: null, run: null }];
}

export function writeColumns(settings: Settings, target: DocumentKey, columns: readonly StoredColumn[]): void {
  const value = settings.get(SETTING);
  const key = playgroundKey(target);
  const others = Object.entries(isRecord(value) ? value : {}).filter(([other]) => other !== key).slice(1 - MAX_PLAYGROUNDS);
  settings.set(SETTING, Object.fromEntries([...others, [key, columns]]));
}

function readColumn(value: unknown): StoredColumn | null {
  if (!isRecord(value)) return null;
  const { artifact, model, revision, run } = value;
  if (typeof artifact !== 'string') return null;
  return {
    artifact,
    model: typeof model === 'string' ? model : null,
    revision: typeof revision === 'number' && revision > 0 ? revision : null,
    run: typeof run === 'string' ? run : null,
  };
}
