import type { ConflictFields } from '$lib/api';
import type { Begin } from './codemirror/conflictMarks';
import type { Document } from './document/document.svelte';

const drafts = new WeakMap<Document, { conflict: ConflictFields; begin: Begin }>();

/** Stores the choices of a conflict while its view isn't shown. */
export function storeDraft(document: Document, conflict: ConflictFields, begin: Begin): void {
  drafts.set(document, { conflict, begin });
}

/** The stored choices, if base, ours and theirs didn't change. */
export function draftOf(document: Document, { base, theirs, ours }: ConflictFields): Begin | null {
  const found = drafts.get(document);
  if (!found) return null;
  const before = found.conflict;
  return before.base === base && before.theirs === theirs && before.ours === ours ? found.begin : null;
}
