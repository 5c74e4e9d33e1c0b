/** A copy with an item moved to an index. */
export function moved<T>(items: readonly T[], item: T, to: number): T[] {
  const rest = items.filter((one) => one !== item);
  rest.splice(to, 0, item);
  return rest;
}
