import type DeletedDialog from './DeletedDialog.svelte';
import type ExportSkillsDialog from './ExportSkillsDialog.svelte';
import type ImportDialog from './ImportDialog.svelte';
import type ReviewDialog from './ReviewDialog.svelte';

// What takes skills in or puts them out comes when it is asked for, not with the window.
export const loadDeletedDialog = async (): Promise<typeof DeletedDialog> => (await import('./DeletedDialog.svelte')).default;
export const loadExportDialog = async (): Promise<typeof ExportSkillsDialog> => (await import('./ExportSkillsDialog.svelte')).default;
export const loadImportDialog = async (): Promise<typeof ImportDialog> => (await import('./ImportDialog.svelte')).default;
export const loadReviewDialog = async (): Promise<typeof ReviewDialog> => (await import('./ReviewDialog.svelte')).default;
