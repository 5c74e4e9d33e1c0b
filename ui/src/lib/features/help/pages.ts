import { type GuidePage, guidePage } from './guide';

const files = import.meta.glob<string>('./guide/*.md', { query: '?raw', import: 'default', eager: true });

/** The guide's own pages, in the order of their files' numbers. */
export const PAGES: readonly GuidePage[] = Object.entries(files)
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([path, text]) => guidePage(path, text));
