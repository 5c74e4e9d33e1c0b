// Pictures of the real screen, read from the X server's memory: what a person would see, not what a page thinks it shows.
import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';

/** @typedef {{ x: number, y: number, width: number, height: number }} Area */

/**
 * Red, green and blue of every pixel in `area`, row by row, out of an X window dump.
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
  const rgb = Buffer.allocUnsafe(width * height * 3);
  for (let row = 0, to = 0; row < height; row++) {
    let from = start + (y + row) * stride + x * 4;
    for (let column = 0; column < width; column++, from += 4) {
      rgb[to++] = dump[from + 2];
      rgb[to++] = dump[from + 1];
      rgb[to++] = dump[from];
    }
  }
  return rgb;
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
