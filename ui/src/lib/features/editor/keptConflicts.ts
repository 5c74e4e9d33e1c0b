import type { ConflictFields } from '$lib/api';
import type { Begin } from './codemirror/conflictMarks';
import type { Document } from './document.svelte';

const kept = new WeakMap<Document, { conflict: ConflictFields; begin: Begin }>();

/** Keeps how far a conflict was decided, while another tab is looked at or the decision waits. */
export function keep(document: Document, conflict: ConflictFields, begin: Begin): void {
  kept.set(document, { conflict, begin });
}

/** How far it was decided, if the three texts are still the same. */
export function keptOf(document: Document, { base, theirs, mine }: ConflictFields): Begin | null {
  const found = kept.get(document);
  if (!found) return null;
  const before = found.conflict;
  return before.base === base && before.theirs === theirs && before.mine === mine ? found.begin : null;
}
