import { describe, expect, it } from 'vitest';

// The tokens themselves are read, so that a colour can't be changed past this test.
import css from '../src/lib/styles/tokens.css?raw';

type Theme = Map<string, string>;

function block(selector: string): Theme {
  const start = css.indexOf(`${selector} {`);
  const body = css.slice(css.indexOf('{', start) + 1, css.indexOf('\n}', start));
  return new Map([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

const THEMES = { light: block(":root[data-theme='light']"), dark: block(":root[data-theme='dark']") };

/** Linear sRGB of `oklch(L C H)`, clipped to what a screen shows. */
function linear(colour: string): [number, number, number] {
  const match = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(colour);
  if (!match) throw new Error(`not an opaque oklch colour: ${colour}`);
  const [L = 0, C = 0, H = 0] = match.slice(1).map(Number);
  const a = C * Math.cos((H * Math.PI) / 180);
  const b = C * Math.sin((H * Math.PI) / 180);
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number): number => Math.max(0, Math.min(1, value));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function luminance(theme: Theme, name: string): number {
  const colour = theme.get(name);
  if (colour === undefined) throw new Error(`no token --${name}`);
  const [r, g, b] = linear(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(theme: Theme, one: string, other: string): number {
  const [a, b] = [luminance(theme, one), luminance(theme, other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const KINDS = ['description', 'prompt_template', 'code_template', 'dspy_module', 'approach', 'example'];
const SURFACES = ['surface-0', 'surface-1', 'surface-2', 'surface-selected'];
const TEXT = ['text-1', 'text-2', 'text-3', 'accent', 'ok', 'warn', 'error', 'info'];
const SYNTAX = ['keyword', 'string', 'comment', 'number', 'name', 'tag', 'heading', 'link'].map((name) => `syntax-${name}`);

describe.each(Object.entries(THEMES))('%s theme', (_, theme) => {
  it('defines the same names as the other', () => {
    expect([...theme.keys()]).toEqual([...THEMES.light.keys()]);
  });

  it.each(TEXT.flatMap((text) => SURFACES.map((surface) => [text, surface] as const)))(
    'has text %s readable on %s (4.5:1)',
    (text, surface) => {
      expect(contrast(theme, text, surface)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each([...SYNTAX])('has %s readable in the editor (4.5:1)', (name) => {
    expect(contrast(theme, name, 'surface-0')).toBeGreaterThanOrEqual(4.5);
  });

  it('has readable words on the accent (4.5:1)', () => {
    expect(contrast(theme, 'on-accent', 'accent')).toBeGreaterThanOrEqual(4.5);
  });

  it.each([...KINDS.map((kind) => `kind-${kind}`), 'border-strong', 'accent'])('shows %s on each surface (3:1)', (name) => {
    for (const surface of ['surface-0', 'surface-1', 'surface-selected']) {
      expect(contrast(theme, name, surface), surface).toBeGreaterThanOrEqual(3);
    }
  });
});
