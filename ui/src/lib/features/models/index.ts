export { default as ModelPalette } from './ModelPalette.svelte';
export { ModelPick } from './modelPick.svelte';
export { ModelSettings } from './modelSettings.svelte';
export { default as ModelsSection } from './ModelsSection.svelte';
