export { default as SkillEvals } from './SkillEvals.svelte';
