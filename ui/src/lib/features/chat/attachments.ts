import type { Chat } from '$lib/api/generated';

/** The core refuses longer ones. */
const MAX_BYTES = 256 * 1024;

/** Text files as attachments; the names of the others. */
export async function attachmentsOf(files: Iterable<File>): Promise<{ added: Chat.Attachment[]; refused: string[] }> {
  const added: Chat.Attachment[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const text = file.size <= MAX_BYTES ? await decoded(file) : null;
    if (text === null) refused.push(file.name);
    else added.push({ name: file.name, text });
  }
  return { added, refused };
}

/** Null if it isn’t UTF-8 text. */
async function decoded(file: File): Promise<string | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
