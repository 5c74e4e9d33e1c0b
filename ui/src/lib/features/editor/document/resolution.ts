import type { Document } from './document.svelte';

/**
 * Saves the given text, or the current one, over the other revision. If that fails, the change stays announced, unless the text was merged with
 * it.
 */
export async function keepOurs({ file, content, conflict, sync }: Document, text = conflict.shown?.ours ?? content.text()): Promise<boolean> {
  if (sync.saving) return false;
  const { shown, external } = conflict;
  const theirs = shown?.theirs ?? external?.theirs ?? null;
  const revision = shown?.revision ?? external?.revision ?? file.revision;
  const before = file.snapshot();
  const isMerged = !content.buffer.equals(text);
  conflict.hide();
  const announced = conflict.external;
  conflict.external = null;
  // A deleted file is written anew.
  file.rebase({ revision, entry: file.entry, text: theirs ?? '' });
  content.replace(text);
  // Also an empty text differs from a deleted file.
  if (theirs === null) content.dirty = true;
  if (!content.dirty) await sync.reread();
  if (await sync.save()) return true;
  // A newer conflict is shown, or the text is based on the other revision now.
  if (conflict.shown !== null || isMerged) return false;
  file.rebase(before);
  content.dirty = true;
  conflict.external ??= announced;
  return false;
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
  if (conflict.external?.theirs != null) await takeTheirs(document);
  else {
    content.replace(file.text ?? '');
    await draft.flush();
  }
  return text;
}
