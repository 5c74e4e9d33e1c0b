import type { Command } from '$lib/commands';
import type { Studio } from '$lib/app/studio.svelte';
import { placeOf } from '$lib/workbench/whenContext';

export function searchCommands(studio: Studio): Command[] {
  const { inStudio } = placeOf(studio);

  return [
    { id: 'search.show', group: 'Search', title: 'Search in all skills', keys: ['Ctrl+Shift+F'], words: 'find text everywhere', run: () => studio.search.show() },
    { id: 'search.replace', group: 'Search', title: 'Replace in all skills', keys: ['Ctrl+Shift+H'], words: 'find text everywhere', run: () => studio.search.show(true) },
    { id: 'search.replaceAll', group: 'Search', title: 'Replace all matches', keys: ['Ctrl+Alt+Enter'], when: () => studio.search.canReplace, run: () => studio.search.replaceAll() },
    { id: 'search.next', group: 'Search', title: 'Next match', keys: ['F4'], when: () => inStudio() && studio.search.hasMatches, run: () => studio.search.step(1) },
    { id: 'search.previous', group: 'Search', title: 'Previous match', keys: ['Shift+F4'], when: () => inStudio() && studio.search.hasMatches, run: () => studio.search.step(-1) },
  ];
}
