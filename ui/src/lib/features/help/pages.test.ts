import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeCore } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { renderMarkdown } from '$lib/domain/markdown';
import { filled, type GuidePage, keyboard, loadGuide, type LoadedPage, pagesOf } from '$lib/features/help';
import { guidePage, headingsOf, searchGuide } from '$lib/features/help/guide';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';

// The window cleans what comes out; here it is looked at as it comes.
vi.mock('dompurify', () => ({ default: { sanitize: (html: string) => html } }));

let app: Services;
let pages: GuidePage[];
let loaded: readonly LoadedPage[];

beforeEach(async () => {
  fakeTimers();
  Object.assign(globalThis, { matchMedia: () => ({ matches: false }) });
  app = createApp(new FakeCore());
  await app.lifecycle.start();
  await flushPromises();
  loaded = await loadGuide(app);
  pages = pagesOf(loaded, app);
});

const text = (slug: string): string => pages.find((page) => page.slug === slug)?.text ?? '';
const links = (page: GuidePage): string[] => [...page.text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);

describe('the guide', () => {
  it('has a title for each page, and no page twice', () => {
    expect(pages.length).toBeGreaterThanOrEqual(16);
    expect(new Set(pages.map((page) => page.slug)).size).toBe(pages.length);
    for (const page of pages) expect(page.title).not.toBe(page.slug);
  });

  it('links only to its own pages and their headings', () => {
    for (const page of pages) {
      for (const target of links(page).filter((one) => !one.startsWith('#run/'))) {
        const [, slug = '', heading] = /^([\w-]+)\.md(?:#(.+))?$/.exec(target) ?? [];
        expect([page.slug, target, pages.some((one) => one.slug === slug)]).toEqual([page.slug, target, true]);
        if (heading !== undefined) expect(headingsOf(text(slug))).toContain(heading);
      }
    }
  });

  it('shows only what there is, and nothing that changes anything', () => {
    for (const page of pages) {
      for (const command of links(page).flatMap((target) => (target.startsWith('#run/') ? [target.slice(5)] : []))) {
        expect([page.slug, command, app.commands.get(command)?.inGuide]).toEqual([page.slug, command, true]);
      }
    }
    expect(app.commands.get('skill.delete')?.inGuide).toBeUndefined();
  });

  it('has the licence as it is', () => {
    const words = (one: string): string => one.replace(/^> ?/gm, '').replace(/\s+/g, ' ').trim();
    expect(words(text('about'))).toContain(words(readFileSync('../LICENSE', 'utf8')));
  });

  it('names the keys as they are now', () => {
    const named = pages.flatMap((page) => [...page.text.matchAll(/\{key:([\w.]+)\}/g)].map(([, id = '']) => [page.slug, id]));
    for (const [slug, id = ''] of named) expect([slug, id, app.commands.get(id) !== undefined]).toEqual([slug, id, true]);
    const shown = (id: string): string => filled(`{key:${id}}`, { keyOf: (one) => app.commands.keyOf(one), version: '1' });
    expect(shown('go.quick')).toBe('<kbd>Ctrl+P</kbd>');
    app.keymap.put('go.quick', 'Alt+Q', 'Ctrl+P');
    expect(shown('go.quick')).toBe('<kbd>Alt+Q</kbd>');
    app.keymap.remove('go.quick', 'Alt+Q');
    expect(shown('go.quick')).toBe('the command palette');
    expect(filled('{version}', { keyOf: () => undefined, version: '1.2' })).toBe('1.2');
  });

  it('shows keys that mean something in Markdown as they are', () => {
    app.keymap.put('go.quick', 'Ctrl+\\', 'Ctrl+P');
    const shown = filled('{key:go.quick}', { keyOf: (id) => app.commands.keyOf(id), version: '1' });
    expect(shown).toBe('<kbd>Ctrl+&#92;</kbd>');
    expect(renderMarkdown(`${shown} and ${keyboard('Ctrl+`')} and ${keyboard('Ctrl+|')}`, false)).toBe('<p><kbd>Ctrl+\\</kbd> and <kbd>Ctrl+`</kbd> and <kbd>Ctrl+|</kbd></p>\n');
    const [hit] = searchGuide([guidePage('x', `# X\n\nPress ${shown} to split.\n`)], 'split');
    expect(hit?.snippet).toBe('Press Ctrl+\\ to split.');
  });

  it('lists every command and every setting from their own tables', () => {
    for (const command of app.commands.list) expect(text('keys')).toContain(command.title.replaceAll('|', '\\|'));
    expect(text('keys')).toContain('<kbd>Ctrl+Shift+P</kbd> <kbd>F1</kbd>');
    for (const title of ['Theme', 'Font size', 'Memory', 'Keep runs for', 'Account folder']) expect(text('settings')).toContain(`- **${title}**`);
  });

  it('is searched by words, titles first', () => {
    const hits = searchGuide(pages, 'trust');
    expect(hits[0]?.page.slug).toBe('trust');
    expect(hits.length).toBeGreaterThan(2);
    const [python] = searchGuide(pages, 'traceback lines');
    expect([python?.page.slug, python?.heading]).toEqual(['scripts', 'When it fails']);
    expect(python?.snippet).toContain('traceback');
    // A table is read by its rows, without its heads.
    const [table] = searchGuide([guidePage('x', '# X\n\nTwo.\n\n| Action | Keys |\n| --- | --- |\n| Undo | <kbd>Ctrl+Z</kbd> |\n| Rename | F2 |\n')], 'rename');
    expect(table?.snippet).toBe('Two. Undo: Ctrl+Z; Rename: F2;');
    expect(searchGuide(pages, 'zebra')).toEqual([]);
    expect(searchGuide(pages, ' ')).toEqual([]);
  });
});

it('the guide shows its pages in this order', () => {
  const expected = [
    'start', 'skills', 'editing', 'preview', 'running', 'scripts', 'programs', 'evals', 'models', 'trust', 'history', 'search', 'transfer', 'library', 'pages', 'tasks',
    'settings', 'keys', 'privacy', 'rules', 'trouble', 'about', 'third-party',
  ];
  expect(pages.map(({ slug }) => slug).filter((slug) => expected.includes(slug))).toEqual(expected);
});

it('help on where one is opens its page, and back leads to the page before', () => {
  app.settingsPage.open('scripts');
  app.commands.run('help.here');
  expect([app.layout.view, app.help.location.slug]).toEqual(['help', 'scripts']);
  app.help.open('running', 'Limits');
  expect(app.help.canGoBack).toBe(true);
  app.help.back();
  expect(app.help.location).toEqual({ slug: 'scripts', heading: null });
});
