/** The key of a setting that each place has for itself: windows in different ones never write over each other's. */
export function placeKey(key: string, place: string): string {
  return place === '' ? key : `${key}.${hash(place)}`;
}

/** A short name that fits into a key (FNV-1a, 64 bits). */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  return value.toString(16).padStart(16, '0');
}
