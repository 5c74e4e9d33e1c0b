/** Rows that PageUp and PageDown pass over. */
const PAGE = 15;

/** Where a key takes the cursor in a list of rows, by index; null when it isn't a key that moves it. */
export function afterKey(key: string, index: number, rows: number): number | null {
  const last = rows - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, last);
    case 'ArrowUp':
      return Math.max(index - 1, 0);
    case 'PageDown':
      return Math.min(index + PAGE, last);
    case 'PageUp':
      return Math.max(index - PAGE, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
