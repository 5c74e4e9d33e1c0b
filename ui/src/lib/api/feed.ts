import type { Platform } from '$lib/platform';
import type { ChangeEvent, ChangeKind } from '$lib/wire';

type Listener = (event: ChangeEvent) => void;

/** Hands the change feed to whoever keeps something that a change makes stale. */
export class Feed {
  readonly #listeners = new Map<ChangeKind, Set<Listener>>();
  #stop: (() => void) | null = null;

  async start(platform: Platform): Promise<void> {
    this.#stop = await platform.onChanges((event) => {
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
