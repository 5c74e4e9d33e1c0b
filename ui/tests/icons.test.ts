import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ASKED, drawnIcons } from '../scripts/icons.js';

const LIBRARY = 'node_modules/@lucide/svelte/dist/icons';

describe('icons', () => {
  it('are asked for nothing that is not drawn', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.svelte'))
      .map((path) => readFileSync(`src/${path}`, 'utf8'));
    const asked = sources.flatMap((source) =>
      [...source.matchAll(/import (\w+) from '@lucide\/svelte\/icons\//g)].flatMap(([, name]) =>
        [...source.matchAll(new RegExp(`<${name ?? ''}((?:\\s[\\w-]+(?:=(?:\\{[^}]*\\}|"[^"]*"))?)*)\\s*/>`, 'g'))].flatMap(([, attributes = '']) =>
          [...attributes.matchAll(/\s([\w-]+)/g)].map(([, attribute]) => attribute),
        ),
      ),
    );
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter((attribute) => !ASKED.includes(attribute ?? ''))).toEqual([]);
  });

  it('have their shapes as markup', async () => {
    const filename = `${LIBRARY}/lock.svelte`;
    const drawn = await drawnIcons().markup?.({ content: readFileSync(filename, 'utf8'), filename });
    expect(drawn).toMatchObject({ code: expect.stringMatching(/<svg [^>]*viewBox="0 0 24 24"[^>]*><rect [^>]*\/><path [^>]*\/><\/svg>/) as string });
  });

  it('say so when the library keeps its shapes elsewhere', () => {
    expect(() => drawnIcons().markup?.({ content: '<p />', filename: `${LIBRARY}/lock.svelte` })).toThrow('no shapes');
  });
});
