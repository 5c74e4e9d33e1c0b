import type { Document } from './document.svelte';

/** Saves the given text, or the current one, over the other revision. */
export async function keepOurs({ file, content, conflict, sync }: Document, text = conflict.shown?.ours ?? content.text()): Promise<boolean> {
  const { shown, external } = conflict;
  const theirs = shown?.theirs ?? external?.theirs ?? null;
  const revision = shown?.revision ?? external?.revision ?? file.revision;
  [conflict.shown, conflict.external] = [null, null];
  // A deleted file is written anew.
  file.rebase({ revision, entry: file.entry, text: theirs ?? '' });
  content.replace(text);
  // Also an empty text differs from a deleted file.
  if (theirs === null) content.dirty = true;
  if (!content.dirty) await sync.reread();
  return sync.save();
}

export async function takeTheirs({ file, content, conflict, draft, sync }: Document): Promise<void> {
  const { shown, external } = conflict;
  const theirs = shown?.theirs ?? external?.theirs;
  if (theirs == null) return;
  [conflict.shown, conflict.external] = [null, null];
  file.rebase({ revision: shown?.revision ?? external?.revision ?? file.revision, entry: file.entry, text: theirs });
  content.replace(theirs);
  await draft.flush();
  await sync.reread();
}

/** Discards the unsaved text and returns it, for an undo. */
export async function discardChanges(document: Document): Promise<string> {
  const { file, content, conflict, draft } = document;
  const text = content.text();
  if (conflict.external) await takeTheirs(document);
  else {
    content.replace(file.text ?? '');
    await draft.flush();
  }
  return text;
}
