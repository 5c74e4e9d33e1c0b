import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'search'>;

export function searchCommands(services: Needs): Command[] {
  const { inEditor } = services.context;

  return [
    { id: 'search.show', group: 'Search', title: 'Search in all skills', inGuide: true, keys: ['Ctrl+Shift+F'], keywords: 'find text everywhere', run: () => services.search.show() },
    { id: 'search.replace', group: 'Search', title: 'Replace in all skills', inGuide: true, keys: ['Ctrl+Shift+H'], keywords: 'find text everywhere', run: () => services.search.show(true) },
    { id: 'search.replaceAll', group: 'Search', title: 'Replace all matches', keys: ['Ctrl+Alt+Enter'], when: () => services.search.canReplace, run: () => services.search.replaceAll() },
    { id: 'search.next', group: 'Search', title: 'Go to next match', keys: ['F4'], when: () => inEditor() && services.search.hasMatches, run: () => services.search.step(1) },
    { id: 'search.previous', group: 'Search', title: 'Go to previous match', keys: ['Shift+F4'], when: () => inEditor() && services.search.hasMatches, run: () => services.search.step(-1) },
  ];
}
