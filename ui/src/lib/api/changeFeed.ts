import type { Platform } from '$lib/platform';
import type { ChangeEvent, ChangeKind, Chat, RunEvent } from '$lib/api/generated';

type Listener = (event: ChangeEvent) => void;
type RunListener = (event: RunEvent) => void;
type ChatListener = (event: Chat.ChatEvent) => void;

/** Distributes the core's change events by kind, the events of runs by id, and those of chats. */
export class ChangeFeed {
  readonly #listeners = new Map<ChangeKind, Set<Listener>>();
  readonly #runs = new Map<string, Set<RunListener>>();
  readonly #chats = new Set<ChatListener>();
  #stop: (() => void)[] = [];

  /** Events of workspaces other than `workspace` are dropped: they are for other windows. */
  async start(platform: Platform, workspace: () => string | null): Promise<void> {
    this.stop();
    this.#stop = await Promise.all([
      platform.onChanges((event) => {
        if (event.scope === 'workspace' && event.workspace !== workspace()) return;
        for (const listener of this.#listeners.get(event.kind) ?? []) listener(event);
      }),
      platform.onRun((event) => {
        for (const listener of this.#runs.get(event.run) ?? []) listener(event);
      }),
      platform.onChat((event) => {
        for (const listener of this.#chats) listener(event);
      }),
    ]);
  }

  stop(): void {
    for (const stop of this.#stop) stop();
    this.#stop = [];
  }

  /** Listens to one run until the returned function is called. */
  onRun(run: string, listener: RunListener): () => void {
    const set = this.#runs.get(run) ?? new Set<RunListener>();
    this.#runs.set(run, set);
    set.add(listener);
    return () => {
      set.delete(listener);
      if (set.size === 0) this.#runs.delete(run);
    };
  }

  /** Listens to all chats until the returned function is called. */
  onChat(listener: ChatListener): () => void {
    this.#chats.add(listener);
    return () => this.#chats.delete(listener);
  }

  on(kind: ChangeKind, listener: Listener): () => void {
    const set = this.#listeners.get(kind) ?? new Set<Listener>();
    this.#listeners.set(kind, set);
    set.add(listener);
    return () => set.delete(listener);
  }
}
