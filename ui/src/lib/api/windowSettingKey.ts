/** The key of a setting that each window stores separately. The window without a workspace has the plain key. */
export function windowSettingKey(key: string, windowKey: string): string {
  return windowKey === '' ? key : `${key}.${hash(windowKey)}`;
}

/** FNV-1a, 64 bits, in hexadecimal. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  return value.toString(16).padStart(16, '0');
}
