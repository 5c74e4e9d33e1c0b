import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'layout' | 'tabs' | 'tree'>;

/** Moves the focus to a part of the editor view. */
export class Navigation {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Focuses the editor of a group, by default the active one. */
  focusEditor(group?: number): void {
    const { layout, tabs } = this.#services;
    layout.view = 'editor';
    const { list, active } = tabs.groups;
    const target = group === undefined ? active : list[group];
    if (target) tabs.groups.show(target);
  }

  focusTree(): void {
    const { layout, tree } = this.#services;
    layout.showSidebarView('skills');
    tree.focusRequest.send();
  }

  closePanel(): void {
    const { layout } = this.#services;
    layout.panel.hide();
    if (layout.view === 'editor') this.focusEditor();
  }
}
