export { Bulk } from './bulk.svelte';
export { Library } from './library.svelte';
export { default as LibraryPane } from './LibraryPane.svelte';
export { default as RefusedDialog } from './RefusedDialog.svelte';
export { default as SkillDocument } from './SkillDocument.svelte';
export { SkillPage } from './skillPage.svelte';
export { default as ValueDialog } from './ValueDialog.svelte';
