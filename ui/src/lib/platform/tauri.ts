import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import type { ChangeEvent, RunEvent } from '$lib/wire';
import { copyText } from './clipboard';
import type { Platform } from './platform';

/** The desktop window: one command for every operation, one event for the change feed, one for runs. */
export function tauriPlatform(): Platform {
  return {
    rpc: (name, params, workspace) => invoke('rpc', { name, params, workspace }),
    onChanges: (listener) => listen<ChangeEvent>('changes', (event) => listener(event.payload)),
    onRun: (listener) =>
      listen<RunEvent & { sent_at?: number }>('run', ({ payload }) => {
        listener(payload);
        if (payload.sent_at !== undefined && payload.kind === 'text') measure(payload.sent_at);
      }),
    pickFolder: (title) => invoke<string | null>('pick_folder', { title }),
    setTitle: (title) => {
      document.title = title;
    },
    copyText,
  };
}

/** How long a piece of text was on its way until the page has it. Only tests send the time. */
function measure(sentAt: number): void {
  // After what the listener changed was written into the page.
  queueMicrotask(() => performance.measure('run-text-hop', { start: sentAt - performance.timeOrigin, end: performance.now() }));
}
