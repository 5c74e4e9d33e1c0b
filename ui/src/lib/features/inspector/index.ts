import type { SkillHistory } from './history.svelte';

export { Form } from './form.svelte';
export type { SkillHistory };
export { previewTarget } from './inspected.svelte';
export { default as InputForm } from './InputForm.svelte';
export { PlanForm } from './planForm.svelte';
export { Preview } from './preview.svelte';

export const loadSkillHistory = async (): Promise<typeof SkillHistory> => (await import('./history.svelte')).SkillHistory;
