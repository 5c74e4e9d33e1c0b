export type { Dropping } from './drop';
export type { HostWindow, Place, Platform } from './platform';
export { tauriPlatform } from './tauri';
