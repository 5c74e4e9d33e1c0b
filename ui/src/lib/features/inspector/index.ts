import type { SkillHistory } from './history.svelte';

export { default as FilePreview } from './FilePreview.svelte';
export { Form } from './form.svelte';
export type { SkillHistory };
export { Info } from './info.svelte';
export { default as InputForm } from './InputForm.svelte';
export { PlanForm } from './planForm.svelte';
export { Preview, type PreviewTarget } from './preview.svelte';
export { default as PromptPreview } from './PromptPreview.svelte';
export { default as SkillInfo } from './SkillInfo.svelte';

export const loadSkillHistory = async (): Promise<typeof SkillHistory> => (await import('./history.svelte')).SkillHistory;
