/** Files of the desktop over the window, in pixels of the window. */
export type DropEvent = { kind: 'over'; x: number; y: number } | { kind: 'drop'; x: number; y: number; paths: string[] } | { kind: 'leave' };

/** Listens to files that are dragged over this window. Tauri's module for it is loaded after the first paint. */
export async function onDrop(listener: (event: DropEvent) => void): Promise<() => void> {
  const { getCurrentWebview } = await import('@tauri-apps/api/webview');
  // Only Windows reports physical pixels; the others report logical ones.
  const scale = navigator.userAgent.includes('Windows') ? devicePixelRatio : 1;
  return getCurrentWebview().onDragDropEvent(({ payload }) => {
    if (payload.type === 'leave') {
      listener({ kind: 'leave' });
      return;
    }
    const at = { x: payload.position.x / scale, y: payload.position.y / scale };
    listener(payload.type === 'drop' ? { kind: 'drop', ...at, paths: payload.paths } : { kind: 'over', ...at });
  });
}
