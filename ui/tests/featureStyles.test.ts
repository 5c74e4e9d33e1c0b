import { expect, it } from 'vitest';

// A feature's own styles are layout. Colors, type and borders come from components and from `lib/styles/utilities.css`.
const SHEETS = import.meta.glob<string>('../src/lib/features/**/*.svelte', { query: '?raw', import: 'default', eager: true });
const LOOK = /^\s*(?:color|font|font-[a-z-]+|background|background-[a-z-]+|box-shadow|border(?!-(?:collapse|spacing))[a-z-]*):/;

/** How many such declarations remain. It may only become smaller. */
const REMAINING = 83;

it('features declare no more colors, type and borders of their own than before', () => {
  const found = Object.entries(SHEETS).flatMap(([path, text]) => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    return style.split('\n').filter((line) => LOOK.test(line)).map((line) => `${path}: ${line.trim()}`);
  });
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(REMAINING);
});

it('container queries are in rem: at another zoom, WebKit compares pixels of the screen with those of the page', () => {
  const all = import.meta.glob<string>(['../src/lib/**/*.svelte', '../src/lib/**/*.css'], { query: '?raw', import: 'default', eager: true });
  const queries = Object.values(all).flatMap((text) => text.match(/@container[^{]*/g) ?? []);
  expect(queries.length).toBeGreaterThan(10);
  expect(queries.filter((query) => query.includes('px'))).toEqual([]);
});
