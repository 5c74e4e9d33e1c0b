import { Channel, invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import type { ChangeEvent, RunEvent } from '$lib/api/generated';
import { onDrop } from './drop';
import type { HostWindow, Place, Platform, Progress } from './platform';

/** The desktop window: one command for every operation, one event for the change feed, one for runs. */
export function tauriPlatform(): Platform {
  return {
    rpc: (name, params, workspace) => invoke('rpc', { name, params, workspace }),
    rpcWatched: (name, params, workspace, call, hear) => {
      const progress = new Channel<Progress>();
      progress.onmessage = hear;
      return invoke('rpc_watched', { name, params, workspace, call, progress });
    },
    rpcStop: (call) => invoke('rpc_stop', { call }),
    onChanges: (listener) => listen<ChangeEvent>('changes', (event) => listener(event.payload)),
    onRun: (listener) =>
      listen<RunEvent & { sent_at?: number }>('run', ({ payload }) => {
        listener(payload);
        if (payload.sent_at !== undefined && payload.kind === 'text') measure(payload.sent_at);
      }),
    pickPath: (title, what) => invoke<string | null>('pick_path', { title, what }),
    onDrop,
    setTitle: (title) => {
      document.title = title;
    },
    copyText: (text) => invoke('copy_text', { text }),
    pasteText: () => invoke<string | null>('paste_text'),
    window: hostWindow(),
  };
}

function hostWindow(): HostWindow {
  // Asked once: the name stays, and the place is what the window begins with.
  let beginning: Promise<Place & { label: string }> | null = null;
  const start = (): Promise<Place & { label: string }> => (beginning ??= invoke('window_start'));
  return {
    start,
    take: (workspace) => invoke<Place | null>('window_take', { workspace }),
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
    fill: () => invoke<boolean>('window_fill'),
    reload: () => location.reload(),
  };
}

/** How long a piece of text was on its way until the page has it. Only tests send the time. */
function measure(sentAt: number): void {
  // After what the listener changed was written into the page.
  queueMicrotask(() => performance.measure('run-text-hop', { start: sentAt - performance.timeOrigin, end: performance.now() }));
}
