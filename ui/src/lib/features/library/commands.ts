import type { Command } from '$lib/commands';
import type { Studio } from '$lib/app/studio.svelte';
import { placeOf } from '$lib/workbench/whenContext';

export function libraryCommands(studio: Studio): Command[] {
  const { library, layout } = studio;
  const { hasSkill, withSkill } = placeOf(studio);
  const chosen = (): number => library.view?.library.chosen.length ?? 0;
  const hasChosen = (): boolean => library.isShelf && chosen() > 0;

  return [
    { id: 'library.show', group: 'Library', title: 'Open the library', keys: ['Ctrl+Alt+L'], words: 'skills cards catalog browse', run: () => library.open() },
    { id: 'library.search', group: 'Library', title: 'Search the library', keys: ['Ctrl+F'], words: 'find skills filter', when: () => layout.view === 'library', run: () => library.search() },
    { id: 'library.page', group: 'Library', title: 'Show this skill in the library', words: 'overview capabilities governance document', when: () => layout.view === 'studio' && hasSkill(), run: withSkill((one) => library.open(one)) },
    { id: 'library.back', group: 'Library', title: 'Back to the library', keys: ['Alt+Left'], when: () => library.isShown && !library.isShelf, run: () => library.view?.back() },
    { id: 'library.edit', group: 'Library', title: 'Edit the instructions here', words: 'inline SKILL.md', when: () => library.isShown && library.view?.page.detail?.locked === false, run: () => library.view?.editInline() },
    { id: 'library.cards', group: 'Library', title: 'Show the library as cards', when: () => library.isShelf && library.view?.library.face === 'lines', run: () => library.view?.library.showAs('cards') },
    { id: 'library.lines', group: 'Library', title: 'Show the library as a list', when: () => library.isShelf && library.view?.library.face === 'cards', run: () => library.view?.library.showAs('lines') },
    { id: 'library.all', group: 'Library', title: 'Select all skills of the library', when: () => library.isShelf, run: () => library.view?.library.selectAll() },
    { id: 'library.enable', group: 'Library', title: 'Enable the selected skills', when: hasChosen, run: () => library.view?.enable(true) },
    { id: 'library.disable', group: 'Library', title: 'Disable the selected skills', when: hasChosen, run: () => library.view?.enable(false) },
    { id: 'library.tag', group: 'Library', title: 'Add a tag to the selected skills', when: hasChosen, run: () => { if (library.view) library.view.asking = 'add'; } },
    { id: 'library.untag', group: 'Library', title: 'Remove a tag from the selected skills', when: hasChosen, run: () => { if (library.view) library.view.asking = 'remove'; } },
    { id: 'library.category', group: 'Library', title: 'Set the category of the selected skills', when: hasChosen, run: () => { if (library.view) library.view.asking = 'category'; } },
    { id: 'library.export', group: 'Library', title: 'Export the selected skills', when: hasChosen, run: () => library.view?.export() },
    { id: 'library.delete', group: 'Library', title: 'Delete the selected skills', when: hasChosen, run: () => library.view?.delete() },
    { id: 'library.stop', group: 'Library', title: 'Stop what is done to the selected skills', words: 'cancel', when: () => library.view?.bulk.going != null, run: () => library.view?.bulk.stop() },
  ];
}
