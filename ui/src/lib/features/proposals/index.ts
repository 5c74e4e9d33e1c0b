export { default as DecideDialog } from './DecideDialog.svelte';
export { default as ProposalDetail } from './ProposalDetail.svelte';
export { default as ProposalsPane } from './ProposalsPane.svelte';
