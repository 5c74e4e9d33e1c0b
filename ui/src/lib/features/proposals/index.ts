export { default as ProposalDetail } from './ProposalDetail.svelte';
export { default as ProposalsPane } from './ProposalsPane.svelte';
