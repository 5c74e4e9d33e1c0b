import { getContext, setContext } from 'svelte';
import type { Attachment } from 'svelte/attachments';

const KEY = Symbol('viewer focus');

/** Sets the attachment of the element that a viewer focuses. It runs again when its dependencies change. */
export function offerFocus(take: Attachment<HTMLElement>): void {
  setContext(KEY, take);
}

export const viewerFocus = (): Attachment<HTMLElement> => getContext<Attachment<HTMLElement> | undefined>(KEY) ?? (() => undefined);
