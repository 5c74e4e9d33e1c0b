import type { Client } from '$lib/api';
import { baseName } from '$lib/domain';
import type { Skill } from '$lib/api/generated';
import type { DocumentKey } from './document.svelte';

/** Limits successive renames, and pages of the history. */
const MAX = 20;

/** The new path of a renamed file, found by a revision that removed it and added one with the same content. Null if unknown. */
export async function renamedTo(client: Client, key: DocumentKey): Promise<string | null> {
  let { path } = key;
  for (let step = 0; step < MAX; step += 1) {
    const last = await lastChange(client, { ...key, path });
    if (!last?.changed.some((one) => one.path === path && one.change === 'removed')) return step === 0 ? null : path;
    const next = await successor(client, { ...key, path }, last);
    if (next === null) return null;
    path = next;
  }
  return null;
}

async function lastChange(client: Client, { scope, skillId: skill, path }: DocumentKey): Promise<Skill.RevisionInfo | null> {
  let before: number | null = null;
  for (let part = 0; part < MAX; part += 1) {
    const { revisions, next }: Skill.History = await client.call('skill/history', { skill, scope, path, before, limit: 1 });
    if (revisions[0] || next === null) return revisions[0] ?? null;
    before = next;
  }
  return null;
}

async function successor(client: Client, { scope, skillId: skill, path }: DocumentKey, { number, previous, changed }: Skill.RevisionInfo): Promise<string | null> {
  if (previous === null) return null;
  const hash = async (at: number, of: string): Promise<string | null> => (await client.call('skill/revision', { skill, scope, number: at, path: of })).sha256;
  const removed = await hash(previous, path);
  const added = changed.filter((one) => one.change === 'added').map((one) => one.path);
  // In a folder with another name, files with equal content keep theirs.
  added.sort((a, b) => Number(baseName(b) === baseName(path)) - Number(baseName(a) === baseName(path)));
  for (const one of added) if ((await hash(number, one)) === removed) return one;
  return null;
}
