export { default as TaskList } from './TaskList.svelte';
export { default as TasksStatus } from './TasksStatus.svelte';
