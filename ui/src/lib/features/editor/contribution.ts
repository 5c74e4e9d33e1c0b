import type { Contribution } from '$lib/workbench/contribution';
import { editorCommands } from './commands';
import { EditorState } from './editorState.svelte';
import { Navigation } from './navigation';
import { Tabs } from './tabs.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly editor: EditorState;
    readonly tabs: Tabs;
    readonly navigation: Navigation;
  }
}

export const editor: Contribution = {
  id: 'editor',
  services: {
    editor: (services) => {
      const state = new EditorState(services.settings);
      state.help = services.symbols.help;
      state.fix = (document, fix) => void services.fixes.apply(document, fix);
      return state;
    },
    tabs: ({ client, catalog, settings }) => new Tabs(client, catalog, settings),
    navigation: (services) => new Navigation(services),
  },
  commands: editorCommands,
  lifecycle: (services) => ({ keep: () => services.tabs.keepAll(), opened: () => services.tabs.restore() }),
};
