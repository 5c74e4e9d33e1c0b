export { default as SkillsSection } from './SkillsSection.svelte';
