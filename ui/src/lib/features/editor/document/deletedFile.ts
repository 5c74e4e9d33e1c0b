import type { Client } from '$lib/api';
import type { Draft, FileEntry } from '$lib/api/generated';
import type { DocumentKey, FileState } from './storedFile.svelte';

/** The draft of a file that was deleted, or whose skill was, and the state on which it is based. Null if there is none. */
export async function draftOfDeleted(client: Client, { scope, skillId: skill, path }: DocumentKey): Promise<{ draft: Draft; base: FileState } | null> {
  const { drafts } = await client.call('draft/get', { skill, scope });
  const draft = drafts.find((one) => one.path === path);
  if (!draft) return null;
  const { base_revision: revision, base_sha256: sha256, text } = draft;
  const stored = await client
    .call('skill/revision', { skill, scope, path, number: revision })
    // Only the last revision of a deleted skill can be read.
    .catch(() => client.call('skill/deleted_file', { id: skill, scope, path }))
    .catch(() => null);
  // The last revision of a deleted skill may have another text than the one on which the draft is based.
  const base = stored?.sha256 === sha256 ? stored.text : null;
  const entry: FileEntry = { path, size: text.length, sha256: '', executable: false, text: true, role: 'file', artifact: null, draft: true };
  // Without the text of the base, no stored file is taken for it.
  if (base !== null && sha256 !== null) entry.sha256 = sha256;
  return { draft, base: { revision, entry, text: base ?? '' } };
}
