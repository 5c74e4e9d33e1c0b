import type { ChangeEvent, Chat, RunEvent } from '$lib/api/generated';
import type { DropEvent } from './drop';

/** `total` is null while unknown. */
export interface Progress {
  done: number;
  total: number | null;
}

/** The host of the window. */
export interface Platform {
  /** Calls an operation. Rejects with the core's `Failure`, or with whatever the transport threw. */
  rpc(name: string, params: unknown, workspace: string | null): Promise<unknown>;
  /** `rpc` for an operation that takes long. `rpcCancel` with the same `call` cancels it. */
  rpcWithProgress(name: string, params: unknown, workspace: string | null, call: string, onProgress: (progress: Progress) => void): Promise<unknown>;
  /** The reply of a canceled call reports what was done before. */
  rpcCancel(call: string): Promise<void>;
  /** Listens to the change feed. Resolves to the function that stops listening. */
  onChanges(listener: (event: ChangeEvent) => void): Promise<() => void>;
  /** Listens to the events of running runs. Resolves to the function that stops listening. */
  onRun(listener: (event: RunEvent) => void): Promise<() => void>;
  /** Listens to the events of answers in chats. Resolves to the function that stops listening. */
  onChat(listener: (event: Chat.ChatEvent) => void): Promise<() => void>;
  /** The system's dialog for a folder or a file of skills; absent if the host has none. Resolves to null if it was canceled. */
  pickPath?(title: string, what: 'folder' | 'package' | 'database'): Promise<string | null>;
  /** Listens to files of the desktop that are dragged over the window; absent if the host doesn't support it. */
  onDrop?(listener: (event: DropEvent) => void): Promise<() => void>;
  /** Opens a web or mail address outside of the app. Rejects with a message. */
  openAddress(address: string): Promise<void>;
  /** Shows a folder in the system's file manager. Rejects with a message. */
  openFolder(folder: string): Promise<void>;
  setTitle(title: string): void;
  copyText(text: string): Promise<void>;
  /** Null if the clipboard has no text. */
  pasteText(): Promise<string | null>;
  readonly window: HostWindow;
}

/** The folder of a window, or its number among the windows without one. */
export interface WindowFolder {
  workspace: string | null;
  number: number;
}

/** The window around the page, and its siblings. */
export interface HostWindow {
  /** The folder that this window starts with. */
  start(): Promise<WindowFolder>;
  /** Reserves a folder for this window. Null if another window has it, which is shown instead. */
  claim(workspace: string | null): Promise<WindowFolder | null>;
  /** Opens another window, or shows the one that has the folder. Rejects with a `Failure` if the folder can't be opened. */
  open(folder: string | null): Promise<void>;
  /** The listener stores what is unsaved, then calls `close`. */
  onClosing(listener: () => void): Promise<() => void>;
  close(): Promise<void>;
  /** Closes all windows; the next start restores them. */
  quit(): Promise<void>;
  /** 1 is 100 %. */
  zoom(level: number): Promise<void>;
  /** Toggles full screen. */
  fill(): Promise<boolean>;
  reload(): void;
}
