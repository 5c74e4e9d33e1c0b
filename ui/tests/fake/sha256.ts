// SHA-256 without waiting: the fake core answers at once, the browser's own digest is asynchronous.

const K = Uint32Array.from({ length: 64 }, (_, index) => fraction(Math.cbrt(prime(index))));
const START = Array.from({ length: 8 }, (_, index) => fraction(Math.sqrt(prime(index))));

function prime(index: number): number {
  for (let candidate = 2, found = -1; ; candidate += 1) {
    let divisor = 2;
    while (divisor * divisor <= candidate && candidate % divisor !== 0) divisor += 1;
    if (divisor * divisor > candidate) found += 1;
    if (found === index) return candidate;
  }
}

function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) >>> 0;
}

const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));

export function createHash(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const data = new Uint8Array(length);
  data.set(bytes);
  data[bytes.length] = 0x80;
  const view = new DataView(data.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, (bytes.length << 3) >>> 0);
  const state = [...START];
  const words = new Uint32Array(64);
  const at = (index: number): number => words[index] ?? 0;
  for (let block = 0; block < length; block += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(block + index * 4);
    for (let index = 16; index < 64; index += 1) {
      const a = at(index - 15);
      const b = at(index - 2);
      const first = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const second = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      words[index] = at(index - 16) + first + at(index - 7) + second;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let index = 0; index < 64; index += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (K[index] ?? 0) + at(index)) >>> 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, index) => {
      state[index] = ((state[index] ?? 0) + value) >>> 0;
    });
  }
  return state.map((value) => value.toString(16).padStart(8, '0')).join('');
}
