import { untrack } from 'svelte';
import { Debounce } from '$lib/api';
import type { Services } from '$lib/workbench/services';

export type AutosaveChoice = 'off' | 'delay' | 'focus';

const SETTING = 'ui.autosave';
const DELAY_MS = 1_000;

/** Saves by itself: after a pause in typing, or when another file or window is in front. Drafts are kept in any case. */
export class Autosave {
  readonly choice = $derived.by<AutosaveChoice>(() => {
    const stored = this.#services.settings.get(SETTING);
    return stored === 'delay' || stored === 'focus' ? stored : 'off';
  });
  readonly #services: Pick<Services, 'documents' | 'settings' | 'tabs'>;
  readonly #soon = new Debounce(DELAY_MS, () => void this.#save());

  constructor(services: Pick<Services, 'documents' | 'settings' | 'tabs'>) {
    this.#services = services;
  }

  choose(choice: AutosaveChoice | null): void {
    this.#services.settings.set(SETTING, choice);
  }

  /** Until the returned function is called. */
  follow(): () => void {
    const { tabs } = this.#services;
    const left = (): void => {
      if (this.choice === 'focus') void this.#save();
    };
    window.addEventListener('blur', left);
    const stop = $effect.root(() => {
      $effect(() => {
        if (this.choice !== 'delay') return;
        for (const { content } of tabs.documents.list) void content.edition;
        untrack(() => this.#soon.touch());
      });
      $effect(() => {
        void tabs.document;
        untrack(left);
      });
    });
    return () => {
      window.removeEventListener('blur', left);
      this.#soon.cancel();
      stop();
    };
  }

  /** Text that can't be saved stays a draft, without a message while somebody types; a conflict waits for a decision. */
  async #save(): Promise<void> {
    const { documents, tabs } = this.#services;
    for (const document of tabs.documents.list) {
      const { content, conflict } = document;
      if (content.dirty && !conflict.external && conflict.shown === null && documents.readOnlyReason(document) === null) await document.sync.save();
    }
  }
}
