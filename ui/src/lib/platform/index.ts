export type { Dropping } from './drop';
export type { HostWindow, Place, Platform, Progress } from './platform';
export { tauriPlatform } from './tauri';
