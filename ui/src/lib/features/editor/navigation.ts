import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'layout' | 'tabs' | 'tree'>;

/** Brings the keyboard to a part of the editor view. */
export class Navigation {
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** The editor of the group in front, unless another group is given. */
  focusEditor(group?: number): void {
    const { layout, tabs } = this.#services;
    layout.view = 'editor';
    tabs.focusGroup(group ?? tabs.groups.indexOf(tabs.group));
  }

  focusTree(): void {
    const { layout, tree } = this.#services;
    layout.showSidebarView('skills');
    tree.focusRequest.send();
  }

  closePanel(): void {
    const { layout } = this.#services;
    layout.set({ showPanel: false });
    if (layout.view === 'editor') this.focusEditor();
  }
}
