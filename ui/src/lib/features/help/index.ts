export { filled, type GuidePage, keyboard, tableCell } from './guide';
export { default as HelpPane } from './HelpPane.svelte';
export { loadGuide, type LoadedPage, pagesOf } from './pages';
