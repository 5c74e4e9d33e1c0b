export { agentList } from './agents';
export { mainOf } from './names';
export { Offer } from './offer.svelte';
export { Review } from './review.svelte';
export { type DropTarget, type TreeItem } from './structure';
