import { describe, expect, it } from 'vitest';

// The tokens and the stylesheets themselves are read, so that a color can't be changed or used past this test.
import css from '../src/lib/styles/tokens.css?raw';
import { type Color, contrast, over, parse } from './colors';

const SHEETS = {
  ...import.meta.glob<string>('../src/**/*.svelte', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>('../src/**/{base,form,fonts,index,utilities}.css', { query: '?raw', import: 'default', eager: true }),
};
const THEMED_CODE = import.meta.glob<string>('../src/lib/features/editor/codemirror/*.ts', { query: '?raw', import: 'default', eager: true });

interface Rule {
  place: string;
  selector: string;
  values: [property: string, value: string][];
}

function rulesOf(place: string, text: string): Rule[] {
  const style = place.endsWith('.svelte') ? [...text.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? '').join('\n') : text;
  const plain = style.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...plain.matchAll(/([^{};]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    place: place.replace('../src/', ''),
    selector: selector.trim().replace(/\s+/g, ' '),
    values: [...body.matchAll(/([\w-]+):\s*([^;]+)/g)].map(([, property = '', value = '']) => [property, value.trim()]),
  }));
}

const RULES = Object.entries(SHEETS).flatMap(([place, text]) => rulesOf(place, text));
const named = (value: string): string[] => [...value.matchAll(/var\(--([\w-]+)\)/g)].map((match) => match[1] ?? '');
/** Sizes that a component sets on its own elements. */
const OWN = Object.values(SHEETS).flatMap((text) => [...text.matchAll(/(?:style:|^\s*)--([\w-]+)(?=[=:{])/gm)].map((match) => match[1] ?? ''));
const where = (rule: Rule): string => `${rule.place}: ${rule.selector}`;

function tokens(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`);
  const body = css.slice(css.indexOf('{', start) + 1, css.indexOf('\n}', start));
  return new Map([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

const THEMES = { light: tokens(":root[data-theme='light']"), dark: tokens(":root[data-theme='dark']") };
const SIZES = tokens(':root');
const NAMES = [...THEMES.light.keys()];

/** What words lie on. */
const SURFACES = ['surface-0', 'surface-1', 'surface-2', 'surface-selected', 'field'];
/** Lines that divide and frame, and tell nothing that isn't told otherwise. */
const DIVIDERS = ['border-subtle'];
/** Tints over a surface, which words lie on too. */
const TINTS = [['line-active'], ['selection'], ['search-match'], ['diff-added'], ['diff-removed'], ['diff-added', 'diff-added-text'], ['diff-removed', 'diff-removed-text']];
const SYNTAX = NAMES.filter((name) => name.startsWith('syntax-'));
const KINDS = NAMES.filter((name) => name.startsWith('kind-'));

const isText = (property: string): boolean => property === 'color' || property === 'caret-color' || property === '-webkit-text-fill-color';
const isGround = (property: string): boolean => property === 'background' || property === 'background-color';
const isLine = (property: string): boolean => /^(border|outline|stroke|fill|box-shadow|accent-color|text-decoration)/.test(property) && !/radius|width|style|offset/.test(property);

/** The tokens that some rule gives to words, without a ground of its own. */
const texts = new Map<string, string>();
/** Words and their ground in one rule. */
const pairs = new Map<string, string>();
/** The tokens that marks, lines and icons are drawn in. */
const marks = new Map<string, string>();
for (const rule of RULES) {
  const of = (is: (property: string) => boolean): string[] => rule.values.filter(([property]) => is(property)).flatMap(([, value]) => named(value));
  const [words, ground] = [of(isText), of(isGround)];
  for (const text of words) {
    if (ground.length === 0) texts.set(text, where(rule));
    else for (const one of ground) pairs.set(`${text} ${one}`, where(rule));
  }
  if (words.length === 0) for (const one of ground) if (![...SURFACES, ...DIVIDERS, ...TINTS.flat(), 'backdrop'].includes(one)) marks.set(one, where(rule));
  for (const one of of(isLine)) if (![...SURFACES, ...DIVIDERS, 'shadow'].includes(one)) marks.set(one, where(rule));
}
// Words on a filled control get their color in the rule that fills it; a child may say it again.
texts.delete('on-accent');
// A scrollbar's two colors.
texts.delete('border-strong');

describe('the stylesheets', () => {
  it('were read', () => {
    expect(RULES.length).toBeGreaterThan(400);
    expect([...texts.keys()]).toEqual(expect.arrayContaining(['text-1', 'text-2', 'text-3', 'accent', 'error', 'warn']));
    expect(pairs.has('on-accent accent')).toBe(true);
  });

  it('name only tokens that there are', () => {
    const missing = RULES.flatMap((rule) => rule.values.flatMap(([, value]) => named(value)).filter((name) => !SIZES.has(name) && !NAMES.includes(name) && !OWN.includes(name)).map((name) => `--${name} in ${where(rule)}`));
    expect(missing).toEqual([]);
  });

  it('take every color from the tokens', () => {
    const own = RULES.filter((rule) => rule.values.some(([property, value]) => (isText(property) || isGround(property) || isLine(property)) && /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(/i.test(value)));
    expect(own.map(where)).toEqual([]);
  });

  it('fade only what can’t be used, and what is no text', () => {
    const faded = RULES.filter((rule) => rule.values.some(([property, value]) => property === 'opacity' && Number(value) > 0 && Number(value) < 1));
    const allowed = /disabled|::placeholder|\.dragged/;
    expect(faded.filter((rule) => !allowed.test(rule.selector)).map(where)).toEqual([]);
  });

  it('underline every framed field with a line that is seen', () => {
    const isField = /(^|[\s,])(input|select|textarea)(?![\w-])|\.(text-|small-|filled-)field(?![\w-])|\.find-field/;
    const framed = RULES.filter((rule) => isField.test(rule.selector) && rule.values.some(([property, value]) => /^border(-color)?$/.test(property) && value.includes('--border-subtle')));
    expect(framed.length).toBeGreaterThan(0);
    const faint = framed.filter((rule) => !rule.values.some(([property, value]) => property === 'border-bottom-color' && value.includes('--border-strong')));
    expect(faint.map(where)).toEqual([]);
  });
});

describe.each(Object.entries(THEMES))('%s theme', (_, theme) => {
  const color = (name: string): Color => {
    const value = theme.get(name);
    if (value === undefined) throw new Error(`no token --${name}`);
    return parse(value);
  };
  const least = (front: string, grounds: readonly string[], ratio: number, used: string): void => {
    for (const ground of grounds) {
      const measured = contrast(color(front), color(ground));
      expect(measured, `--${front} on --${ground}, ${used}`).toBeGreaterThanOrEqual(ratio);
    }
  };

  it('defines the same names as the other', () => {
    expect([...theme.keys()]).toEqual(NAMES);
  });

  it.each([...texts].filter(([name]) => NAMES.includes(name)))('has words in %s readable on every surface (4.5:1)', (name, used) => {
    least(name, SURFACES, 4.5, used);
  });

  it.each([...pairs])('has words readable that are %s (4.5:1)', (pair, used) => {
    const [front = '', ground = ''] = pair.split(' ');
    const below = color(ground);
    for (const surface of below.alpha < 1 ? SURFACES : [ground]) {
      const measured = contrast(color(front), below.alpha < 1 ? over(below, color(surface)) : below);
      expect(measured, `--${front} on --${ground}, ${used}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(SYNTAX)('has %s readable where code is shown (4.5:1)', (name) => {
    least(name, ['surface-0', 'surface-1'], 4.5, 'code');
  });

  it.each(TINTS.flatMap((tint) => ['text-1', ...SYNTAX].map((text) => [text, ...tint] as const)))('has %s readable on %s %s (4.5:1)', (text, ...tints) => {
    const ground = tints.reduce((below, tint) => over(color(tint), below), color('surface-0'));
    expect(contrast(color(text), ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each([...marks].filter(([name]) => NAMES.includes(name)))('has lines and marks in %s visible on every surface (3:1)', (name, used) => {
    if (name === 'on-accent') least(name, ['accent'], 3, used);
    else if (color(name).alpha === 1) least(name, SURFACES, 3, used);
  });

  it.each(KINDS)('shows %s on every surface (3:1)', (name) => {
    least(name, SURFACES, 3, 'an icon');
  });
});

it('the editor takes every color from the tokens', () => {
  const own = Object.entries(THEMED_CODE).filter(([place, text]) => !place.endsWith('.test.ts') && /['"](#[0-9a-f]{3,8}|rgba?\(|hsla?\(|oklch\()/i.test(text));
  expect(own.map(([place]) => place)).toEqual([]);
});
