// A file's bytes: of a text its own, of anything else a picture of one pixel or as many zeros as it has bytes.
import type { FileEntry, Files } from '$lib/api/generated';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export function bytesOf(entry: FileEntry, text: string | null, revision: number, limit: number): Files.FileBytes {
  const picture = /\.(png|jpe?g|gif|webp)$/i.test(entry.path);
  const all = text !== null ? new TextEncoder().encode(text) : picture ? Uint8Array.from(atob(PIXEL), (char) => char.charCodeAt(0)) : new Uint8Array(entry.size);
  const base64 = btoa([...all.subarray(0, limit)].map((byte) => String.fromCharCode(byte)).join(''));
  const media_type = text !== null ? 'text/plain' : picture ? 'image/png' : 'application/octet-stream';
  return { entry, revision, media_type, base64 };
}
