export { default as FilePreview } from './FilePreview.svelte';
export { Form } from './form.svelte';
export { type SkillHistory } from './history.svelte';
export { Info } from './info.svelte';
export { default as InputForm } from './InputForm.svelte';
export { PlanForm } from './planForm.svelte';
export { Preview, type PreviewTarget } from './preview.svelte';
export { default as PromptPreview } from './PromptPreview.svelte';
export { default as SkillInfo } from './SkillInfo.svelte';
