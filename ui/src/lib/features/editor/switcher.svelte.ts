import type { Tab, TabGroup } from './tabGroup.svelte';

interface Open {
  tabs: readonly Tab[];
  index: number;
}

/** Ctrl+Tab: the tabs of a group by last use, for as long as Ctrl is held. */
export class Switcher {
  open = $state.raw<Open | null>(null);
  readonly #group: () => TabGroup;
  readonly #chosen: (id: string) => void;

  constructor(group: () => TabGroup, chosen: (id: string) => void) {
    this.#group = group;
    this.#chosen = chosen;
  }

  step(by: 1 | -1): void {
    const tabs = this.open?.tabs ?? this.#group().recent;
    if (tabs.length < 2) return;
    this.open = { tabs, index: ((this.open?.index ?? 0) + by + tabs.length) % tabs.length };
  }

  /** Ctrl was let go. */
  take(index = this.open?.index): void {
    const tab = index === undefined ? undefined : this.open?.tabs[index];
    this.open = null;
    if (tab) this.#chosen(tab.id);
  }

  /** To the tab that was shown before this one, at once. */
  back(): void {
    this.step(1);
    this.take();
  }

  cancel(): void {
    this.open = null;
  }
}
