import { tick } from 'svelte';

/** Focuses the first control of a row of a list, once it is drawn: of the last row beyond the end, of the Add button without rows. */
export async function focusRow(list: HTMLElement, at: number): Promise<void> {
  await tick();
  const rows = [...list.querySelectorAll<HTMLElement>(':scope > [data-row]')];
  const row = rows[Math.min(at, rows.length - 1)];
  const control = row?.querySelector<HTMLElement>('input, select, textarea, button') ?? list.querySelector<HTMLElement>(':scope > * > [data-add]');
  control?.focus();
}
