/** Copies text; falls back to the selection where the clipboard API is refused. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (cause) {
    const area = document.createElement('textarea');
    area.value = text;
    area.setAttribute('aria-hidden', 'true');
    area.className = 'visually-hidden';
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only other way, for web views without clipboard permission
    const copied = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    if (!copied) throw cause;
  }
}
