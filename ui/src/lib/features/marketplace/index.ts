export { groupedFingerprint } from './labels';
export { default as PermissionList } from './PermissionList.svelte';
