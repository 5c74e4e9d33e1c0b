import type { Command } from '$lib/commands';
import type { Studio } from '$lib/app/studio.svelte';

export function pagesCommands(studio: Studio): Command[] {
  const { layout, workspace } = studio;
  const page = (): { path: string } | null => studio.pages.view?.reader.detail?.page ?? null;
  const inPages = (): boolean => layout.view === 'pages';

  return [
    { id: 'page.show', group: 'Pages', title: 'Show pages', keys: ['Ctrl+Alt+P'], words: 'markdown wiki notes browser', run: () => studio.pages.open() },
    { id: 'page.search', group: 'Pages', title: 'Search pages', words: 'find text', when: () => workspace.current !== null, run: () => studio.pages.search() },
    { id: 'page.loose', group: 'Pages', title: 'Show link problems', words: 'broken links orphans', when: () => workspace.current !== null, run: () => studio.pages.looseEnds() },
    { id: 'page.back', group: 'Pages', title: 'Previous page', keys: ['Alt+Left'], when: () => inPages() && studio.pages.view?.reader.canGoBack === true, run: () => studio.pages.view?.reader.back() },
    { id: 'page.forward', group: 'Pages', title: 'Next page', keys: ['Alt+Right'], when: () => inPages() && studio.pages.view?.reader.canGoOn === true, run: () => studio.pages.view?.reader.forward() },
    { id: 'page.copyPath', group: 'Pages', title: 'Copy path of page', when: () => inPages() && page() !== null, run: () => studio.copy(page()?.path ?? '', 'the path') },
    { id: 'page.refresh', group: 'Pages', title: 'Refresh pages', words: 'refresh index', when: () => workspace.current !== null, run: () => studio.pages.refresh() },
  ];
}
