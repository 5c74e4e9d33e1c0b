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
    onRun: (listener) => listen<RunEvent>('run', (event) => listener(event.payload)),
    pickFolder: (title) => invoke<string | null>('pick_folder', { title }),
    setTitle: (title) => {
      document.title = title;
    },
    copyText,
  };
}
