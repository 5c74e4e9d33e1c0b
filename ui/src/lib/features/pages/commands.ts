import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'clipboard' | 'layout' | 'pages' | 'workspace'>;

export function pagesCommands(services: Needs): Command[] {
  const { layout, workspace } = services;
  const page = (): { path: string } | null => services.pages.view?.reader.detail?.page ?? null;
  const inPages = (): boolean => layout.view === 'pages';

  return [
    { id: 'page.show', group: 'Pages', title: 'Show pages', keys: ['Ctrl+Alt+P'], words: 'markdown wiki notes browser', run: () => services.pages.open() },
    { id: 'page.search', group: 'Pages', title: 'Search pages', words: 'find text', when: () => workspace.current !== null, run: () => services.pages.search() },
    { id: 'page.loose', group: 'Pages', title: 'Show link problems', words: 'broken links orphans', when: () => workspace.current !== null, run: () => services.pages.looseEnds() },
    { id: 'page.back', group: 'Pages', title: 'Previous page', keys: ['Alt+Left'], when: () => inPages() && services.pages.view?.reader.canGoBack === true, run: () => services.pages.view?.reader.back() },
    { id: 'page.forward', group: 'Pages', title: 'Next page', keys: ['Alt+Right'], when: () => inPages() && services.pages.view?.reader.canGoOn === true, run: () => services.pages.view?.reader.forward() },
    { id: 'page.copyPath', group: 'Pages', title: 'Copy path of page', when: () => inPages() && page() !== null, run: () => services.clipboard.copy(page()?.path ?? '', 'the path') },
    { id: 'page.refresh', group: 'Pages', title: 'Refresh pages', words: 'refresh index', when: () => workspace.current !== null, run: () => services.pages.refresh() },
  ];
}
