import type { Contribution } from '$lib/workbench/contribution';
import { editorCommands } from './commands';
import type { CustomEditor, FileView, WelcomePart } from './customEditors';
import EditorPart from './EditorPart.svelte';
import { EditorState } from './editorState.svelte';
import { warmUp } from './lazyCode';
import { menuOfText } from './menus';
import { Navigation } from './navigation';
import { positionStatus } from './positionStatus';
import SaveStatusItem from './SaveStatusItem.svelte';
import { Tabs } from './tabs/tabs.svelte';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'settings:editor': true;
  }
}

declare module '$lib/workbench/contribution' {
  interface Contribution {
    customEditors?: readonly CustomEditor[];
    fileViews?: readonly FileView[];
    welcome?: readonly WelcomePart[];
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly editor: EditorState;
    readonly tabs: Tabs;
    readonly navigation: Navigation;
  }
}

/** After the first paint. */
const WARM_UP_DELAY_MS = 150;

export const editor: Contribution = {
  id: 'editor',
  editorArea: EditorPart,
  contextMenus: [{ id: 'text', menuOf: menuOfText }],
  statusItems: [
    { id: 'save', side: 'right', order: 20, component: SaveStatusItem },
    { id: 'position', side: 'right', order: 30, status: positionStatus },
  ],
  settingsSections: [{ id: 'editor', label: 'Editor', order: 20, guide: 'editing' }],
  settings: () => import('./settings'),
  guidePages: [{ id: 'editing', order: 30, load: () => import('./guide/editing.md?raw') }],
  services: {
    editor: (services) => {
      const state = new EditorState(services.settings);
      state.help = services.symbols.help;
      state.fix = (document, fix) => void services.fixes.apply(document, fix);
      return state;
    },
    tabs: ({ client, catalog, settings, contributions }) => new Tabs(client, catalog, settings, contributions.of('fileViews')),
    navigation: (services) => new Navigation(services),
  },
  commands: editorCommands,
  lifecycle: (services) => ({
    keep: () => services.tabs.session.keepAll(),
    opened: () => services.tabs.session.restore(),
    painted: () => setTimeout(() => void warmUp(), WARM_UP_DELAY_MS),
  }),
};
