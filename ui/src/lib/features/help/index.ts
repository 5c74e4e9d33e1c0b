export { filled, type GuidePage } from './guide';
export { default as HelpPane } from './HelpPane.svelte';
export { PAGES } from './pages';
