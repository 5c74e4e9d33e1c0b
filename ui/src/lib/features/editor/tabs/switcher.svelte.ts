import type { EditorGroups } from './editorGroups.svelte';
import type { Tab } from './tabList.svelte';

interface OpenSwitcher {
  tabs: readonly Tab[];
  index: number;
}

/** Switches between the tabs of the active group. Its list of recently used tabs is shown while Ctrl is held. */
export class Switcher {
  open = $state.raw<OpenSwitcher | null>(null);
  readonly #groups: EditorGroups;

  constructor(groups: EditorGroups) {
    this.#groups = groups;
  }

  /** Selects the next tab by last use. */
  step(by: 1 | -1): void {
    const tabs = this.open?.tabs ?? this.#groups.active.recent;
    if (tabs.length < 2) return;
    this.open = { tabs, index: ((this.open?.index ?? 0) + by + tabs.length) % tabs.length };
  }

  /** Activates the selected tab and closes the list. */
  commit(index = this.open?.index): void {
    const tab = index === undefined ? undefined : this.open?.tabs[index];
    this.open = null;
    if (tab) this.#groups.activate(tab.id);
  }

  /** Activates the previously used tab. */
  back(): void {
    this.step(1);
    this.commit();
  }

  cancel(): void {
    this.open = null;
  }

  /** Activates the next tab on the tab bar, wrapping around. */
  stepInOrder(by: 1 | -1): void {
    const { tabs, activeId } = this.#groups.active;
    const next = tabs.list[(tabs.indexOf(activeId) + by + tabs.list.length) % tabs.list.length];
    if (next) this.#groups.activate(next.id);
  }
}
