import { windowSettingKey, type Settings } from '$lib/api';
import type { Scope } from '$lib/api/generated';
import type { Position } from '../document/document.svelte';
import type { Direction, Grid } from './grid';

export interface StoredTab {
  scope: Scope;
  skill: string;
  path: string;
  /** The contributed view; absent for the text. */
  view?: string;
  preview?: boolean;
  cursor?: Position;
}

export interface StoredGroup {
  tabs: StoredTab[];
  /** Index of the active tab. */
  active: number;
}

/** The layout, with indices instead of ids of groups. */
type StoredGrid = number | { direction: Direction; parts: { grid: StoredGrid; size: number }[] };

export interface StoredTabs {
  /** To detect collisions of setting keys. */
  windowKey: string;
  groups: StoredGroup[];
  grid: StoredGrid;
  /** Index of the active group. */
  active: number;
}

export const MAX_GROUPS = 3;
const SETTING = 'ui.tabs';

/** One setting per workspace, so that windows don't overwrite each other's tabs. */
const keyOf = (windowKey: string): string => (windowKey === '' ? `${SETTING}.none` : windowSettingKey(SETTING, windowKey));

/** Earlier versions stored it as `place`. */
const keyIn = (value: Record<string, unknown>): unknown => value['windowKey'] ?? value['place'];

export function readTabs(settings: Settings, windowKey: string): StoredTabs {
  const value = settings.get(keyOf(windowKey));
  const own = isRecord(value) && keyIn(value) === windowKey ? value : null;
  const groups = own && Array.isArray(own['groups']) ? own['groups'].slice(0, MAX_GROUPS).map(readGroup) : [];
  if (own && groups.length > 0) {
    const grid = readGrid(own['grid'], groups.length);
    const used = grid === null ? [] : indicesOf(grid);
    const fits = grid !== null && used.length === groups.length && new Set(used).size === groups.length;
    return { windowKey, groups, grid: fits ? grid : rowOf(groups.length), active: indexIn(own['active'], groups.length) };
  }
  // The format of an earlier version: one group for each workspace, all in one setting.
  const all = settings.get(SETTING);
  return { windowKey, groups: [readGroup(isRecord(all) ? all[windowKey] : null)], grid: 0, active: 0 };
}

export function writeTabs(settings: Settings, stored: StoredTabs): void {
  settings.set(keyOf(stored.windowKey), stored);
}

/** The grid with mapped group ids. */
export function withIndices(grid: Grid, indexOf: (id: string) => number): StoredGrid {
  if (typeof grid === 'string') return indexOf(grid);
  return { direction: grid.direction, parts: grid.parts.map((part) => ({ size: part.size, grid: withIndices(part.grid, indexOf) })) };
}

export function withIds(grid: StoredGrid, ids: readonly string[]): Grid {
  if (typeof grid === 'number') return ids[grid] ?? '';
  return { direction: grid.direction, parts: grid.parts.map((part) => ({ size: part.size, grid: withIds(part.grid, ids) })) };
}

const indicesOf = (grid: StoredGrid): number[] => (typeof grid === 'number' ? [grid] : grid.parts.flatMap((part) => indicesOf(part.grid)));

const rowOf = (count: number): StoredGrid =>
  count === 1 ? 0 : { direction: 'row', parts: Array.from({ length: count }, (_, grid) => ({ grid, size: 1 / count })) };

const indexIn = (value: unknown, count: number): number => (typeof value === 'number' && value >= 0 && value < count ? Math.floor(value) : 0);

function readGrid(value: unknown, count: number): StoredGrid | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < count ? value : null;
  if (!isRecord(value) || !Array.isArray(value['parts'])) return null;
  const { direction } = value;
  if (direction !== 'row' && direction !== 'column') return null;
  const parts = value['parts'].map((part) => {
    const grid = isRecord(part) ? readGrid(part['grid'], count) : null;
    const size = isRecord(part) ? part['size'] : null;
    return grid !== null && typeof size === 'number' && size > 0 && size < 1 ? { grid, size } : null;
  });
  const sound = parts.filter((part) => part !== null);
  const sum = sound.reduce((total, part) => total + part.size, 0);
  return sound.length >= 2 && sound.length === parts.length && Math.abs(sum - 1) < 0.01 ? { direction, parts: sound } : null;
}

function readGroup(value: unknown): StoredGroup {
  if (!isRecord(value) || !Array.isArray(value['tabs'])) return { tabs: [], active: -1 };
  return { tabs: value['tabs'].flatMap((tab) => readTab(tab) ?? []), active: typeof value['active'] === 'number' ? value['active'] : -1 };
}

function readTab(value: unknown): StoredTab | null {
  if (!isRecord(value)) return null;
  const { scope, skill, path, view, preview, cursor } = value;
  if ((scope !== 'account' && scope !== 'workspace') || typeof skill !== 'string' || typeof path !== 'string') return null;
  const at = isRecord(cursor) && typeof cursor['line'] === 'number' && typeof cursor['column'] === 'number' ? { line: cursor['line'], column: cursor['column'] } : null;
  return { scope, skill, path, ...(typeof view === 'string' ? { view } : {}), ...(preview === true ? { preview } : {}), ...(at ? { cursor: at } : {}) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
