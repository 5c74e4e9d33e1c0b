import type { Command } from '$lib/commands';
import { type LifecycleAction, lifecycleActions } from './skillLifecycle.svelte';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'layout' | 'library'>;

export function libraryCommands(services: Needs): Command[] {
  const { library, layout } = services;
  const { selected } = services.context;
  const hasTargets = (): boolean => library.isListShown && (library.view?.library.selection.targets.length ?? 0) > 0;

  /** For the skill whose page is shown. */
  const lifecycle = (action: LifecycleAction, title: string): Command => ({
    id: `library.${action}`,
    group: 'Library',
    title,
    keywords: 'lifecycle state review retire',
    when: () => library.isShown && library.view?.page.detail !== undefined && lifecycleActions(library.view.page.detail.lifecycle).includes(action),
    run: () => {
      const { view } = library;
      if (view?.page.detail) void view.lifecycle.change(view.page.detail, action);
    },
  });

  return [
    { id: 'library.show', group: 'Library', title: 'Show library', inGuide: true, keys: ['Ctrl+Alt+L'], keywords: 'skills cards catalog browse', run: () => library.open() },
    { id: 'library.search', group: 'Library', title: 'Search library', keys: ['Ctrl+F'], keywords: 'find skills filter', when: () => layout.view === 'library', run: () => library.search() },
    { id: 'library.page', group: 'Library', title: 'Show skill in library', keywords: 'overview capabilities governance document', when: selected.exists, run: selected.with((one) => library.open(one)) },
    { id: 'library.back', group: 'Library', title: 'Back to library', keys: ['Alt+Left'], when: () => library.isShown && !library.isListShown, run: () => library.view?.back() },
    { id: 'library.edit', group: 'Library', title: 'Edit instructions', keywords: 'inline SKILL.md', when: () => library.isShown && library.view?.page.detail?.locked === false, run: () => library.view?.inline.start() },
    lifecycle('promote', 'Promote skill'),
    lifecycle('deprecate', 'Deprecate skill'),
    lifecycle('archive', 'Archive skill'),
    lifecycle('reinstate', 'Reinstate skill'),
    { id: 'library.cards', group: 'Library', title: 'Show library as cards', when: () => library.isListShown && library.view?.library.layout.viewMode === 'list', run: () => library.view?.library.layout.showAs('cards') },
    { id: 'library.list', group: 'Library', title: 'Show library as list', when: () => library.isListShown && library.view?.library.layout.viewMode === 'cards', run: () => library.view?.library.layout.showAs('list') },
    { id: 'library.all', group: 'Library', title: 'Select all skills', when: () => library.isListShown, run: () => library.view?.library.selection.selectAll() },
    { id: 'library.enable', group: 'Library', title: 'Enable selected skills', when: hasTargets, run: () => library.view?.selection.enable(true) },
    { id: 'library.disable', group: 'Library', title: 'Disable selected skills', when: hasTargets, run: () => library.view?.selection.enable(false) },
    { id: 'library.tag', group: 'Library', title: 'Add tag to selected skills', when: hasTargets, run: () => { if (library.view) library.view.selection.prompt = 'add'; } },
    { id: 'library.untag', group: 'Library', title: 'Remove tag from selected skills', when: hasTargets, run: () => { if (library.view) library.view.selection.prompt = 'remove'; } },
    { id: 'library.category', group: 'Library', title: 'Set category of selected skills', when: hasTargets, run: () => { if (library.view) library.view.selection.prompt = 'category'; } },
    { id: 'library.export', group: 'Library', title: 'Export selected skills', when: hasTargets, run: () => library.view?.selection.export() },
    { id: 'library.deploy', group: 'Library', title: 'Deploy selected skills', when: hasTargets, run: () => library.view?.selection.deploy() },
    { id: 'library.delete', group: 'Library', title: 'Delete selected skills', when: hasTargets, run: () => library.view?.selection.delete() },
    { id: 'library.stop', group: 'Library', title: 'Cancel bulk action', keywords: 'cancel', when: () => library.view?.bulk.running != null, run: () => library.view?.bulk.cancel() },
  ];
}
