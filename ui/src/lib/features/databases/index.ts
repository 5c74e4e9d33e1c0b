export { default as RestoreDialog } from './RestoreDialog.svelte';
