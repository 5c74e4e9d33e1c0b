import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'clipboard' | 'layout' | 'pages' | 'workspace'>;

export function pagesCommands(services: Needs): Command[] {
  const { layout, workspace } = services;
  const page = (): { path: string } | null => services.pages.view?.reader.detail?.page ?? null;
  const inPages = (): boolean => layout.view === 'pages';

  return [
    { id: 'page.show', group: 'Pages', title: 'Show pages', inGuide: true, keys: ['Ctrl+Alt+P'], keywords: 'markdown wiki notes browser', run: () => services.pages.open() },
    { id: 'page.search', group: 'Pages', title: 'Search pages', keywords: 'find text', when: () => workspace.current !== null, run: () => services.pages.search() },
    { id: 'page.linkProblems', group: 'Pages', title: 'Show link problems', inGuide: true, keywords: 'broken links orphans', when: () => workspace.current !== null, run: () => services.pages.showLinkProblems() },
    { id: 'page.back', group: 'Pages', title: 'Go to previous page', keys: ['Alt+Left'], when: () => inPages() && services.pages.view?.reader.navigation.canGoBack === true, run: () => services.pages.view?.reader.navigation.back() },
    { id: 'page.forward', group: 'Pages', title: 'Go to next page', keys: ['Alt+Right'], when: () => inPages() && services.pages.view?.reader.navigation.canGoForward === true, run: () => services.pages.view?.reader.navigation.forward() },
    { id: 'page.copyPath', group: 'Pages', title: 'Copy path of page', when: () => inPages() && page() !== null, run: () => services.clipboard.copy(page()?.path ?? '', 'the path') },
    { id: 'page.refresh', group: 'Pages', title: 'Refresh pages', keywords: 'refresh index', when: () => workspace.current !== null, run: () => services.pages.refresh() },
  ];
}
