import type { Attachment } from 'svelte/attachments';

const MAX_HEIGHT = 190;

/** Grows a text area with its text; wrapped lines count, too. */
export function fitHeight(text: () => string): Attachment<HTMLTextAreaElement> {
  return (field) => {
    // Fits again with each change.
    text();
    field.style.height = 'auto';
    if (field.scrollHeight > 0) field.style.height = `${Math.min(field.scrollHeight + 2, MAX_HEIGHT)}px`;
  };
}
