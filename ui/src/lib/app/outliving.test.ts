import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// A `$derived` stops when the component that created it is destroyed: later components would read outdated values from it.
it('no component makes what outlives it', () => {
  const components = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.svelte'));
  expect(components.length).toBeGreaterThan(100);
  const kept = components.filter((path) => /[\w\])]\.\w+\s*(?:\?\?)?=\s*new\s+[A-Z]/.test(readFileSync(`src/${path}`, 'utf8')));
  expect(kept).toEqual([]);
});
