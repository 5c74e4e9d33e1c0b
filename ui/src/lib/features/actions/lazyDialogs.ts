import type ImportDialog from './ImportDialog.svelte';
import type ReviewDialog from './ReviewDialog.svelte';

// What takes skills in comes when it is asked for, not with the window.
export const loadImportDialog = async (): Promise<typeof ImportDialog> => (await import('./ImportDialog.svelte')).default;
export const loadReviewDialog = async (): Promise<typeof ReviewDialog> => (await import('./ReviewDialog.svelte')).default;
