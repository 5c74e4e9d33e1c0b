import Icon from '@lucide/svelte/icons/folder';
import { tildePath } from '$lib/domain';
import type { Contribution } from '$lib/workbench/contribution';
import { workspaceCommands } from './commands';
import BannerArea from './BannerArea.svelte';
import { FoldersController } from './foldersController.svelte';
import { Workspace } from './workspace.svelte';
import { WorkspaceOpener } from './workspaceOpener';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'overlay:trust': true;
    'settings:workspaces': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly workspace: Workspace;
    readonly opener: WorkspaceOpener;
    readonly folders: FoldersController;
  }
}

export const workspace: Contribution = {
  id: 'workspace',
  banners: [{ id: 'workspace', component: BannerArea }],
  overlays: [{ id: 'trust', isOpen: ({ workspace }) => workspace.trust.asked, load: () => import('./TrustOverlay.svelte'), preload: true }],
  statusItems: [
    {
      id: 'workspace',
      side: 'left',
      order: 10,
      status: ({ folders, workspace: { current, home } }) => ({
        text: current?.name ?? 'No folder open',
        title: current ? `${tildePath(current.path, home)}\nOpen another folder` : 'Open a folder',
        icon: Icon,
        run: () => folders.openFolder(),
      }),
    },
    { id: 'readOnly', side: 'left', order: 20, status: ({ workspace }) => (workspace.current?.writable === false ? { text: 'Read-only' } : null) },
    {
      id: 'trust',
      side: 'left',
      order: 30,
      status: ({ catalog, runs, workspace }) =>
        workspace.current?.trusted === false && catalog.skills.some((skill) => skill.scope === 'workspace')
          ? { text: 'Not trusted', title: 'Workspace skills can’t run until you trust this workspace', isWarning: true, run: () => void runs.setTrust(true) }
          : null,
    },
  ],
  settingsSections: [{ id: 'workspaces', label: 'Workspaces', about: 'Workspace skills only run in trusted workspaces.', order: 40, guide: 'trust', after: { load: () => import('./WorkspacesSettings.svelte') } }],
  settings: () => import('./settings'),
  guidePages: [{ id: 'trust', order: 90, load: () => import('./guide/trust.md?raw') }],
  services: {
    workspace: (services) =>
      new Workspace(
        services.client,
        services.feed,
        () => services.lifecycle.keep(),
        () => services.lifecycle.workspaceChanged(),
      ),
    opener: (services) => new WorkspaceOpener(services),
    folders: (services) => new FoldersController(services),
  },
  commands: workspaceCommands,
};
