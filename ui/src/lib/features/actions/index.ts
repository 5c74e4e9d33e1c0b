export { Actions, mainOf } from './actions.svelte';
export { default as ImportDialog } from './ImportDialog.svelte';
export { Importer } from './importer.svelte';
export { default as NewFileDialog } from './NewFileDialog.svelte';
export { default as NewSkillDialog } from './NewSkillDialog.svelte';
export { Offer } from './offer.svelte';
export { default as RenameDialog } from './RenameDialog.svelte';
export { Review } from './review.svelte';
export { default as ReviewDialog } from './ReviewDialog.svelte';
