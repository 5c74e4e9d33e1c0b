import type { Platform } from '$lib/platform';
import type { ChangeEvent, ChangeKind } from '$lib/wire';

type Listener = (event: ChangeEvent) => void;

/** Hands the change feed to whoever keeps something that a change makes stale. */
export class Feed {
  readonly #listeners = new Map<ChangeKind, Set<Listener>>();
  #stop: (() => void) | null = null;

  /** `workspace` is the folder that is open: what happens in others, open in other windows, isn't for this one. */
  async start(platform: Platform, workspace: () => string | null): Promise<void> {
    this.#stop = await platform.onChanges((event) => {
      if (event.scope === 'workspace' && event.workspace !== workspace()) return;
      for (const listener of this.#listeners.get(event.kind) ?? []) listener(event);
    });
  }

  stop(): void {
    this.#stop?.();
    this.#stop = null;
  }

  on(kind: ChangeKind, listener: Listener): () => void {
    const set = this.#listeners.get(kind) ?? new Set<Listener>();
    this.#listeners.set(kind, set);
    set.add(listener);
    return () => set.delete(listener);
  }
}
