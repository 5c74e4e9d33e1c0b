export { default as ChangedMark } from './ChangedMark.svelte';
export { default as SideButtons } from './SideButtons.svelte';
export { agentList } from './agents';
export { mainOf } from './names';
export { Offer } from './offer.svelte';
export { Review } from './review.svelte';
export { type DropTarget, type TreeItem } from './structure';
