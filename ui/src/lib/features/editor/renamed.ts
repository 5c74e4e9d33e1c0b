import type { Client } from '$lib/api';
import { baseName } from '$lib/domain';
import type { History, RevisionInfo } from '$lib/api/generated';
import type { DocumentKey } from './document.svelte';

/** Renames one after the other, and parts of the history, that are looked at. */
const MOST = 20;

/** The path now of a file that has had this one: it went, and one with the same content came with that revision. Null: it isn't known. */
export async function renamedTo(client: Client, key: DocumentKey): Promise<string | null> {
  let { path } = key;
  for (let step = 0; step < MOST; step += 1) {
    const last = await lastChange(client, { ...key, path });
    if (!last?.changed.some((one) => one.path === path && one.change === 'removed')) return step === 0 ? null : path;
    const next = await successor(client, { ...key, path }, last);
    if (next === null) return null;
    path = next;
  }
  return null;
}

async function lastChange(client: Client, { scope, skillId: skill, path }: DocumentKey): Promise<RevisionInfo | null> {
  let before: number | null = null;
  for (let part = 0; part < MOST; part += 1) {
    const { revisions, next }: History = await client.call('skill/history', { skill, scope, path, before, limit: 1 });
    if (revisions[0] || next === null) return revisions[0] ?? null;
    before = next;
  }
  return null;
}

async function successor(client: Client, { scope, skillId: skill, path }: DocumentKey, { number, previous, changed }: RevisionInfo): Promise<string | null> {
  if (previous === null) return null;
  const hash = async (at: number, of: string): Promise<string | null> => (await client.call('skill/revision', { skill, scope, number: at, path: of })).sha256;
  const gone = await hash(previous, path);
  const came = changed.filter((one) => one.change === 'added').map((one) => one.path);
  // In a folder with another name, files with equal content keep theirs.
  came.sort((a, b) => Number(baseName(b) === baseName(path)) - Number(baseName(a) === baseName(path)));
  for (const one of came) if ((await hash(number, one)) === gone) return one;
  return null;
}
