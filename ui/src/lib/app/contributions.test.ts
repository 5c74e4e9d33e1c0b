import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeCore } from '../../../tests/fake/core';
import { fakeTimers } from '../../../tests/support';
import { createApp } from './createApp';
import { FEATURES } from './features';
import type { Contribution } from '$lib/workbench/contribution';
import { Contributions } from '$lib/workbench/contributions';

const POINTS = ['views', 'panelTabs', 'inspectorTabs', 'overlays', 'statusItems', 'banners', 'contextMenus', 'customEditors', 'welcome', 'settingsSections', 'skillSections', 'guidePages', 'tasks'] as const;

const contributions = new Contributions(FEATURES);
const idsOf = (point: (typeof POINTS)[number]): string[] => contributions.of(point).map(({ id }) => id);
const withExtra = (extra: Omit<Contribution, 'id'>): (() => unknown) => () => createApp(new FakeCore(), [...FEATURES, { id: 'extra', ...extra }]);

beforeEach(() => fakeTimers());

describe('the shell', () => {
  it('names no feature and nothing that a feature contributes', () => {
    const files = readdirSync('src/lib/app').filter((file) => /^(?!features\.ts|viewCommands\.ts).*(?<!\.test)\.(ts|svelte)$/.test(file));
    expect(files).toContain('Shell.svelte');
    const sources = [...files.map((file) => `app/${file}`), ...readdirSync('src/lib/workbench').map((file) => `workbench/${file}`)];
    for (const source of sources) {
      const text = readFileSync(`src/lib/${source}`, 'utf8');
      expect([source, /from '\$lib\/features|import\('\$lib\/features/.exec(text)?.[0]]).toEqual([source, undefined]);
    }
    const shell = ['Shell', 'EditorView', 'BottomPanel', 'InspectorPane', 'Overlays', 'StatusBar'].map((file) => readFileSync(`src/lib/app/${file}.svelte`, 'utf8')).join('\n');
    for (const point of POINTS) expect(idsOf(point).length).toBeGreaterThan(0);
    for (const point of ['views', 'panelTabs', 'inspectorTabs', 'overlays', 'statusItems', 'banners'] as const) {
      expect([point, idsOf(point).filter((id) => shell.includes(`'${id}'`))]).toEqual([point, []]);
    }
  });

  it('shows what is contributed in this order', () => {
    const inOrder = (ids: readonly string[], expected: readonly string[]): void => expect(ids.filter((id) => expected.includes(id))).toEqual(expected);
    inOrder(idsOf('views'), ['skills', 'search', 'library', 'pages', 'runs', 'evals', 'proposals', 'help', 'settings']);
    inOrder(idsOf('panelTabs'), ['problems', 'references', 'tasks', 'log']);
    inOrder(idsOf('inspectorTabs'), ['preview', 'run', 'optimize', 'outline', 'info', 'history']);
    inOrder(idsOf('settingsSections'), ['general', 'editor', 'skills', 'workspaces', 'models', 'runs', 'scripts', 'dspy', 'keys', 'data']);
    const status = contributions.of('statusItems');
    const side = (name: 'left' | 'right'): string[] => status.filter((item) => item.side === name).map(({ id }) => id);
    inOrder(side('left'), ['workspace', 'readOnly', 'trust', 'skills', 'drafts']);
    inOrder(side('right'), ['tasks', 'save', 'position', 'zoom', 'dspy', 'model', 'problems']);
  });
});

describe('contributions', () => {
  it.each(POINTS)('that have the same id in %s are refused', (point) => {
    const [first] = contributions.of(point);
    expect(withExtra({ [point]: [first] })).toThrow(`${point} has ${first?.id ?? ''} twice`);
  });

  it('that refer to an unknown command, page of the guide or tab are refused', () => {
    const [view] = contributions.of('views');
    const [tab] = contributions.of('inspectorTabs');
    if (!view || !tab) throw new Error('there are no views or tabs');
    expect(withExtra({ views: [{ ...view, id: 'extra' as never, command: 'no.command' }] })).toThrow('views extra refers to unknown command no.command');
    expect(withExtra({ views: [{ ...view, id: 'extra' as never, guide: 'nowhere' }] })).toThrow('views extra refers to unknown guide page nowhere');
    expect(withExtra({ inspectorTabs: [{ ...tab, id: 'extra' as never, fallback: 'none' as never }] })).toThrow('inspectorTabs extra refers to unknown fallback none');
  });

  it('of a second editor area, a command or a service that exists are refused', () => {
    const area = contributions.editorArea;
    expect(() => new Contributions([...FEATURES, { id: 'extra', editorArea: area }]).editorArea).toThrow('2 features have an editor area');
    expect(() => new Contributions([]).editorArea).toThrow('0 features have an editor area');
    expect(withExtra({ commands: () => [{ id: 'file.save', group: 'File', title: 'Save', run: () => undefined }] })).toThrow('command file.save exists already');
    expect(withExtra({ services: { toasts: ({ toasts }) => toasts } })).toThrow('service toasts exists already');
  });

  it('whose tab was stored but no longer exists give way to the first one', async () => {
    const core = new FakeCore();
    core.settings['ui.layout'] = { panelTab: 'removed', inspectorTab: 'removed', showPanel: true };
    const { layout, lifecycle } = createApp(core);
    await lifecycle.start();
    expect([layout.panel.tab, layout.panel.shown, layout.inspector.tab]).toEqual(['problems', true, 'preview']);
  });
});
