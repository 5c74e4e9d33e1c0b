import { plural } from '$lib/domain';
import type { Chat } from '$lib/api/generated';
import type { Toasts } from '$lib/components';
import type { Services } from '$lib/workbench/services';

/** The core refuses longer ones. */
const MAX_BYTES = 256 * 1024;

type Attached = Chat.AttachedFiles;

/** The text files as attachments, and why the others aren’t. */
export async function attachmentsOf(files: Iterable<File>): Promise<Attached> {
  const attached: Attached = { attachments: [], refused: [] };
  for (const file of files) {
    const text = file.size <= MAX_BYTES ? await decoded(file) : null;
    if (text !== null) attached.attachments.push({ name: file.name, text });
    else attached.refused.push({ name: file.name, reason: file.size > MAX_BYTES ? 'size' : 'binary' });
  }
  return attached;
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

const REASONS: Record<Chat.AttachmentRefusal, string> = {
  folder: 'Folders can’t be attached. Attach the files in them.',
  binary: 'Only text files can be attached.',
  size: 'Files of more than 256 KiB can’t be attached. Attach a part of them.',
  unreadable: 'They can’t be read. Check that they still exist.',
};

/** The message that says which files weren’t attached, and why. */
export function refusalOf(refused: readonly Chat.RefusedAttachment[]): Parameters<Toasts['show']> {
  const names = refused.length <= 3 ? refused.map((one) => one.name).join(', ') : plural(refused.length, 'file');
  const reasons = new Set(refused.map((one) => REASONS[one.reason]));
  return [`Couldn’t attach ${names}`, { tone: 'error', hint: [...reasons].join(' ') }];
}

/** Adds files to the message that is typed. */
export class DraftAttachments {
  readonly #services: Pick<Services, 'chat' | 'client' | 'notifications' | 'toasts'>;

  constructor(services: Pick<Services, 'chat' | 'client' | 'notifications' | 'toasts'>) {
    this.#services = services;
  }

  async add(files: Iterable<File>): Promise<void> {
    this.#apply(await attachmentsOf(files));
  }

  /** Adds files of the desktop. */
  async addPaths(paths: readonly string[]): Promise<void> {
    try {
      this.#apply(await this.#services.client.call('chat/attach', { paths: [...paths] }));
    } catch (cause) {
      this.#services.notifications.report('Couldn’t attach the files', cause);
    }
  }

  #apply({ attachments, refused }: Attached): void {
    const { chat, toasts } = this.#services;
    if (attachments.length > 0) chat.draft = { ...chat.draft, attachments: [...chat.draft.attachments, ...attachments] };
    if (refused.length > 0) toasts.show(...refusalOf(refused));
  }
}
