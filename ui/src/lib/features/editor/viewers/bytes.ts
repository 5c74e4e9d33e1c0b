/** The bytes of a Base64 text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

export interface HexRow {
  offset: string;
  hex: string;
  text: string;
}

const WIDTH = 16;

/** Sixteen bytes a line, as numbers and as the characters that they would be. */
export function hexRows(bytes: Uint8Array): HexRow[] {
  const rows: HexRow[] = [];
  for (let from = 0; from < bytes.length; from += WIDTH) {
    const part = [...bytes.subarray(from, from + WIDTH)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0'));
    rows.push({
      offset: from.toString(16).padStart(8, '0'),
      hex: `${hex.slice(0, 8).join(' ')}  ${hex.slice(8).join(' ')}`.padEnd(WIDTH * 3),
      text: part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(''),
    });
  }
  return rows;
}

/** Pictures that the web view shows. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp', 'image/x-icon', 'image/vnd.microsoft.icon']);

export const isPicture = (mediaType: string): boolean => PICTURES.has(mediaType);

const LABELS: Record<string, string> = {
  'image/png': 'PNG image',
  'image/jpeg': 'JPEG image',
  'image/gif': 'GIF image',
  'image/webp': 'WebP image',
  'image/bmp': 'Bitmap image',
  'image/svg+xml': 'SVG image',
  'application/pdf': 'PDF document',
  'application/zip': 'ZIP archive',
  'application/gzip': 'Gzip archive',
  'application/octet-stream': 'Unknown',
};

export const typeLabel = (mediaType: string): string => LABELS[mediaType] ?? mediaType;
