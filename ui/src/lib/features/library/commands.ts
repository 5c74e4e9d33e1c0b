import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'layout' | 'library'>;

export function libraryCommands(services: Needs): Command[] {
  const { library, layout } = services;
  const { hasSkill, withSkill } = services.context;
  const chosen = (): number => library.view?.library.chosen.length ?? 0;
  const hasChosen = (): boolean => library.isShelf && chosen() > 0;

  return [
    { id: 'library.show', group: 'Library', title: 'Show library', keys: ['Ctrl+Alt+L'], words: 'skills cards catalog browse', run: () => library.open() },
    { id: 'library.search', group: 'Library', title: 'Search library', keys: ['Ctrl+F'], words: 'find skills filter', when: () => layout.view === 'library', run: () => library.search() },
    { id: 'library.page', group: 'Library', title: 'Show skill in library', words: 'overview capabilities governance document', when: () => layout.view === 'editor' && hasSkill(), run: withSkill((one) => library.open(one)) },
    { id: 'library.back', group: 'Library', title: 'Back to library', keys: ['Alt+Left'], when: () => library.isShown && !library.isShelf, run: () => library.view?.back() },
    { id: 'library.edit', group: 'Library', title: 'Edit instructions', words: 'inline SKILL.md', when: () => library.isShown && library.view?.page.detail?.locked === false, run: () => library.view?.editInline() },
    { id: 'library.cards', group: 'Library', title: 'Show library as cards', when: () => library.isShelf && library.view?.library.face === 'lines', run: () => library.view?.library.showAs('cards') },
    { id: 'library.lines', group: 'Library', title: 'Show library as list', when: () => library.isShelf && library.view?.library.face === 'cards', run: () => library.view?.library.showAs('lines') },
    { id: 'library.all', group: 'Library', title: 'Select all skills', when: () => library.isShelf, run: () => library.view?.library.selectAll() },
    { id: 'library.enable', group: 'Library', title: 'Enable selected skills', when: hasChosen, run: () => library.view?.enable(true) },
    { id: 'library.disable', group: 'Library', title: 'Disable selected skills', when: hasChosen, run: () => library.view?.enable(false) },
    { id: 'library.tag', group: 'Library', title: 'Add tag to selected skills', when: hasChosen, run: () => { if (library.view) library.view.asking = 'add'; } },
    { id: 'library.untag', group: 'Library', title: 'Remove tag from selected skills', when: hasChosen, run: () => { if (library.view) library.view.asking = 'remove'; } },
    { id: 'library.category', group: 'Library', title: 'Set category of selected skills', when: hasChosen, run: () => { if (library.view) library.view.asking = 'category'; } },
    { id: 'library.export', group: 'Library', title: 'Export selected skills', when: hasChosen, run: () => library.view?.export() },
    { id: 'library.delete', group: 'Library', title: 'Delete selected skills', when: hasChosen, run: () => library.view?.delete() },
    { id: 'library.stop', group: 'Library', title: 'Cancel bulk action', words: 'cancel', when: () => library.view?.bulk.going != null, run: () => library.view?.bulk.stop() },
  ];
}
