/** Where Alt+Up and Alt+Down move a row of a form; null for other keys, and at the ends of the list. */
export function rowStep({ altKey, key }: KeyboardEvent, { first, last }: { first: boolean; last: boolean }): 1 | -1 | null {
  if (!altKey) return null;
  if (key === 'ArrowUp') return first ? null : -1;
  return key === 'ArrowDown' && !last ? 1 : null;
}
