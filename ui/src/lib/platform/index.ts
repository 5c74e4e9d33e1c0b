export type { DropEvent } from './drop';
export type { HostWindow, WindowFolder, Platform, Progress } from './platform';
export { tauriPlatform } from './tauri';
