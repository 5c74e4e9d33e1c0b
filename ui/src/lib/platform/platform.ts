import type { ChangeEvent, RunEvent } from '$lib/api/generated';
import type { Dropping } from './drop';

/** How far a call is; `total` is null while nobody knows. */
export interface Progress {
  done: number;
  total: number | null;
}

/** What the window needs from the program around it. One implementation per host. */
export interface Platform {
  /** Calls an operation. Rejects with the core's `Failure`, or with whatever the transport threw. */
  rpc(name: string, params: unknown, workspace: string | null): Promise<unknown>;
  /** The same for an operation that takes long: `hear` is told how far it is, and `rpcStop` with the same `call` asks it to stop. */
  rpcWatched(name: string, params: unknown, workspace: string | null, call: string, hear: (progress: Progress) => void): Promise<unknown>;
  /** Asks a watched call to stop. Its reply says what was done until then. */
  rpcStop(call: string): Promise<void>;
  /** Listens to the change feed. Resolves to the function that stops listening. */
  onChanges(listener: (event: ChangeEvent) => void): Promise<() => void>;
  /** Listens to what happens in runs while they go on. Resolves to the function that stops listening. */
  onRun(listener: (event: RunEvent) => void): Promise<() => void>;
  /** The system's dialog for a folder or a file of skills; absent where there is none. Resolves to null when cancelled. */
  pickPath?(title: string, what: 'folder' | 'package' | 'database'): Promise<string | null>;
  /** Listens to files of the desktop that are dragged over the window; absent where there are none. */
  onDrop?(listener: (event: Dropping) => void): Promise<() => void>;
  /** Sets the title of the window. */
  setTitle(title: string): void;
  copyText(text: string): Promise<void>;
  /** The text on the clipboard; null when it has none. */
  pasteText(): Promise<string | null>;
  readonly window: HostWindow;
}

/** Where a window works: in a folder, or as one of those without. */
export interface Place {
  workspace: string | null;
  /** Tells windows without a folder from each other. */
  number: number;
}

/** The window around the page, and its siblings. */
export interface HostWindow {
  /** What this window begins with. */
  start(): Promise<Place>;
  /** Says which folder this window is about to have. Null when another window has it: that one is shown instead. */
  take(workspace: string | null): Promise<Place | null>;
  /** Opens another window, or shows the one that has the folder. Rejects with a `Failure` where the folder can't be opened. */
  open(folder: string | null): Promise<void>;
  /** Someone wants to close this window: what is unsent is sent, then `close` is called. */
  onClosing(listener: () => void): Promise<() => void>;
  close(): Promise<void>;
  /** Closes all windows; they come back with the next start. */
  quit(): Promise<void>;
  /** Shows everything larger or smaller; 1 is as designed. */
  zoom(level: number): Promise<void>;
  /** Fills the screen, or no longer. */
  fill(): Promise<boolean>;
  /** Loads the page again, as when the window was opened. */
  reload(): void;
}
