/** Colors as the tokens write them, and how well one is told from another. */

/** Linear sRGB, and how opaque it is. */
export interface Color {
  rgb: [number, number, number];
  alpha: number;
}

const clip = (value: number): number => Math.max(0, Math.min(1, value));

/** Linear sRGB of `oklch(L C H)` or `oklch(L C H / A)`, clipped to what a screen shows. */
export function parse(text: string): Color {
  const match = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)$/.exec(text);
  if (!match) throw new Error(`not an oklch color: ${text}`);
  const [, L, C, H, alpha = '1'] = match;
  return { rgb: fromOklch(Number(L), Number(C), Number(H)), alpha: Number(alpha) };
}

function fromOklch(L: number, C: number, H: number): [number, number, number] {
  const a = C * Math.cos((H * Math.PI) / 180);
  const b = C * Math.sin((H * Math.PI) / 180);
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const encode = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);
const decode = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** What is seen of `top` over an opaque color: screens mix the encoded values. */
export function over(top: Color, below: Color): Color {
  const mix = (a: number, b: number): number => decode(encode(a) * top.alpha + encode(b) * (1 - top.alpha));
  const [r, g, b] = top.rgb;
  return { rgb: [mix(r, below.rgb[0]), mix(g, below.rgb[1]), mix(b, below.rgb[2])], alpha: 1 };
}

const luminance = ({ rgb: [r, g, b] }: Color): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** WCAG's contrast of two opaque colors. */
export function contrast(one: Color, other: Color): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
