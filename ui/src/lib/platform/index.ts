export { copyText } from './clipboard';
export type { Platform } from './platform';
export { tauriPlatform } from './tauri';
