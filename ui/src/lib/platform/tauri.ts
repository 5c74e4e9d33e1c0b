import { Channel, invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import type { ChangeEvent, Chat, RunEvent } from '$lib/api/generated';
import { onDrop } from './drop';
import type { HostWindow, WindowFolder, Platform, Progress } from './platform';

/** The desktop window: one command for every operation, one event for the change feed, one for runs, one for chats. */
export function tauriPlatform(): Platform {
  return {
    rpc: (name, params, workspace) => invoke('rpc', { name, params, workspace }),
    rpcWithProgress: (name, params, workspace, call, onProgress) => {
      const progress = new Channel<Progress>();
      progress.onmessage = onProgress;
      return invoke('rpc_with_progress', { name, params, workspace, call, progress });
    },
    rpcCancel: (call) => invoke('rpc_cancel', { call }),
    onChanges: (listener) => listen<ChangeEvent>('changes', (event) => listener(event.payload)),
    onRun: (listener) =>
      listen<RunEvent & { sent_at?: number }>('run', ({ payload }) => {
        listener(payload);
        if (payload.sent_at !== undefined && payload.kind === 'text') measure(payload.sent_at);
      }),
    onChat: (listener) => listen<Chat.ChatEvent>('chat', (event) => listener(event.payload)),
    pickPath: (title, what) => invoke<string | null>('pick_path', { title, what }),
    onDrop,
    openAddress: (address) => invoke('open_address', { address }),
    openFolder: (folder) => invoke('open_folder', { folder }),
    setTitle: (title) => {
      document.title = title;
    },
    copyText: (text) => invoke('copy_text', { text }),
    pasteText: () => invoke<string | null>('paste_text'),
    window: hostWindow(),
  };
}

function hostWindow(): HostWindow {
  // Called once: neither the label nor the folder it starts with changes.
  let started: Promise<WindowFolder & { label: string }> | null = null;
  const start = (): Promise<WindowFolder & { label: string }> => (started ??= invoke('window_start'));
  return {
    start,
    claim: (workspace) => invoke<WindowFolder | null>('claim_window', { workspace }),
    open: (folder) => invoke('window_open', { folder }),
    onClosing: async (listener) => {
      const { label } = await start();
      return listen<string>('closing', ({ payload }) => {
        if (payload === label) listener();
      });
    },
    close: () => invoke('window_close'),
    quit: () => invoke('quit'),
    zoom: (level) => invoke('window_zoom', { level }),
    fill: () => invoke<boolean>('toggle_fullscreen'),
    reload: () => location.reload(),
  };
}

/** Measures the time from sending a text until it is rendered. Only benchmarks send the time. */
function measure(sentAt: number): void {
  // After the page was updated.
  queueMicrotask(() => performance.measure('run-text-hop', { start: sentAt - performance.timeOrigin, end: performance.now() }));
}
