import type { ChangeEvent, RunEvent } from '$lib/wire';

/** What the window needs from the program around it. One implementation per host. */
export interface Platform {
  /** Calls an operation. Rejects with the core's `Failure`, or with whatever the transport threw. */
  rpc(name: string, params: unknown, workspace: string | null): Promise<unknown>;
  /** Listens to the change feed. Resolves to the function that stops listening. */
  onChanges(listener: (event: ChangeEvent) => void): Promise<() => void>;
  /** Listens to what happens in runs while they go on. Resolves to the function that stops listening. */
  onRun(listener: (event: RunEvent) => void): Promise<() => void>;
  /** The system's folder dialog; absent where there is none. Resolves to null when cancelled. */
  pickFolder?(title: string): Promise<string | null>;
  /** Sets the title of the window. */
  setTitle(title: string): void;
  copyText(text: string): Promise<void>;
}
