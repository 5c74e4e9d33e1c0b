import { getContext, setContext } from 'svelte';
import type { Attachment } from 'svelte/attachments';

const KEY = Symbol('viewer focus');

/** What shows a file as something else than text gives its element to `take`, and again whenever what that reads changes. */
export function offerFocus(take: Attachment<HTMLElement>): void {
  setContext(KEY, take);
}

export const viewerFocus = (): Attachment<HTMLElement> => getContext<Attachment<HTMLElement> | undefined>(KEY) ?? (() => undefined);
