/**
 * Which of a row of things have room, when one of them must be in sight: the first ones, and that one. `more` is the
 * room that the button for the rest takes.
 */
export function fitting(widths: readonly number[], room: number, gap: number, more: number, wanted: number): boolean[] {
  const all = widths.reduce((sum, width) => sum + width + gap, -gap);
  if (all <= room) return widths.map(() => true);
  const chosen = (widths[wanted] ?? 0) + gap;
  let left = room - more - chosen;
  let full = false;
  return widths.map((width, index) => {
    if (index === wanted) return true;
    full ||= width + gap > left;
    if (!full) left -= width + gap;
    return !full;
  });
}
