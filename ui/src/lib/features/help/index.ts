export { filled, type GuidePage, keyboard } from './guide';
export { default as HelpPane } from './HelpPane.svelte';
export { PAGES } from './pages';
