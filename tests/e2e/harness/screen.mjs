// Pictures of the real screen, read from the X server's memory: what a person would see, not what a page thinks it shows.
import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';

/** @typedef {{ x: number, y: number, width: number, height: number }} Area */

/**
 * The pixels in `area` row by row, as they are in an X window dump: blue, green, red and an unused byte.
 * @param {Buffer} dump
 * @param {Area} area
 */
export function pixels(dump, { x, y, width, height }) {
  const field = (/** @type {number} */ index) => dump.readUInt32BE(index * 4);
  const [headerSize, version, , , wide, high, , byteOrder] = [0, 1, 2, 3, 4, 5, 6, 7].map(field);
  const [bits, stride, colors] = [field(11), field(12), field(19)];
  if (version !== 7 || bits !== 32 || byteOrder !== 0) throw new Error('the X server keeps its screen in an unknown form');
  if (x < 0 || y < 0 || x + width > wide || y + height > high) throw new Error(`the window lies outside the ${wide}x${high} screen`);
  const start = headerSize + colors * 12;
  const area = Buffer.allocUnsafe(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = start + (y + row) * stride + x * 4;
    dump.copy(area, row * width * 4, from, from + width * 4);
  }
  return area;
}

/** Red, green and blue of pixels. @param {Buffer} pixels */
export function colors(pixels) {
  const rgb = Buffer.allocUnsafe((pixels.length / 4) * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4) {
    rgb[to++] = pixels[from + 2];
    rgb[to++] = pixels[from + 1];
    rgb[to++] = pixels[from];
  }
  return rgb;
}

/** A color of an overlay scrollbar, which fades for two seconds, changes by less between two looks. */
const MAX_FADE = 16;

/** Whether two looks at the same area differ by nothing but what fades slowly. @param {Buffer} one @param {Buffer} other pixels */
export function areAlike(one, other) {
  if (one.equals(other)) return true;
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (Math.abs(one[i] - other[i]) > MAX_FADE) return false;
  return true;
}

/** The mean of all colors of all pixels: 0 is black, 255 white. @param {Buffer} rgb */
export function brightness(rgb) {
  let sum = 0;
  for (let i = 0; i < rgb.length; i++) sum += rgb[i];
  return sum / rgb.length;
}

/** The number of pixels that have different colors. @param {Buffer} one @param {Buffer} other of the same size */
export function differentPixels(one, other) {
  let count = 0;
  for (let i = 0; i < one.length; i += 3) if (one[i] !== other[i] || one[i + 1] !== other[i + 1] || one[i + 2] !== other[i + 2]) count++;
  return count;
}

/**
 * @param {Buffer} rgb
 * @param {{ width: number, height: number }} size
 */
export function png(rgb, { width, height }) {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  // Each row begins with its filter: the difference to the row above packs flat surfaces best.
  for (let row = 0; row < height; row++) {
    const to = row * (width * 3 + 1);
    rows[to] = 2;
    for (let i = 0; i < width * 3; i++) {
      const at = row * width * 3 + i;
      rows[to + 1 + i] = rgb[at] - (row > 0 ? rgb[at - width * 3] : 0);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/**
 * @param {string} kind
 * @param {Buffer} body
 */
function chunk(kind, body) {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(checksum(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}

/** @param {Buffer} bytes */
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/**
 * @param {string} file  the X server's memory
 * @param {Area} area
 */
export async function capture(file, area) {
  return pixels(await readFile(file), area);
}
