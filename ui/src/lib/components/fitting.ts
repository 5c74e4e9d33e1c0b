/**
 * The items that fit into a row: the first ones, and the one at `shownIndex`. `more` is the width of the button for the others.
 */
export function fitting(widths: readonly number[], room: number, gap: number, more: number, shownIndex: number): boolean[] {
  const all = widths.reduce((sum, width) => sum + width + gap, -gap);
  if (all <= room) return widths.map(() => true);
  const chosen = (widths[shownIndex] ?? 0) + gap;
  let left = room - more - chosen;
  let full = false;
  return widths.map((width, index) => {
    if (index === shownIndex) return true;
    full ||= width + gap > left;
    if (!full) left -= width + gap;
    return !full;
  });
}
