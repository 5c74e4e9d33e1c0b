import type { Platform } from '$lib/platform';
import type { ChangeEvent, ChangeKind, RunEvent } from '$lib/wire';

type Listener = (event: ChangeEvent) => void;
type RunListener = (event: RunEvent) => void;

/** Hands the change feed to whoever keeps something that a change makes stale, and the events of a run to whoever started it. */
export class Feed {
  readonly #listeners = new Map<ChangeKind, Set<Listener>>();
  readonly #runs = new Map<string, RunListener>();
  #stop: (() => void)[] = [];

  /** `workspace` is the folder that is open: what happens in others, open in other windows, isn't for this one. */
  async start(platform: Platform, workspace: () => string | null): Promise<void> {
    this.stop();
    const changes = await platform.onChanges((event) => {
      if (event.scope === 'workspace' && event.workspace !== workspace()) return;
      for (const listener of this.#listeners.get(event.kind) ?? []) listener(event);
    });
    this.#stop = [changes];
    this.#stop.push(await platform.onRun((event) => this.#runs.get(event.run)?.(event)));
  }

  stop(): void {
    for (const stop of this.#stop) stop();
    this.#stop = [];
  }

  /** What happens in one run, until the returned function is called. */
  onRun(run: string, listener: RunListener): () => void {
    this.#runs.set(run, listener);
    return () => this.#runs.delete(run);
  }

  on(kind: ChangeKind, listener: Listener): () => void {
    const set = this.#listeners.get(kind) ?? new Set<Listener>();
    this.#listeners.set(kind, set);
    set.add(listener);
    return () => set.delete(listener);
  }
}
