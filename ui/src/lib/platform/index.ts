export { copyText } from './clipboard';
export type { HostWindow, Place, Platform } from './platform';
export { tauriPlatform } from './tauri';
