export { default as FilePreview } from './FilePreview.svelte';
export { default as History } from './History.svelte';
export { Info } from './info.svelte';
export { Preview, type PreviewTarget } from './preview.svelte';
export { default as PromptPreview } from './PromptPreview.svelte';
export { default as SkillInfo } from './SkillInfo.svelte';
