import type { Contribution } from '$lib/workbench/contribution';
import { dspyCommands } from './commands';
import { customEditorOf, ProgramsController } from './programsController.svelte';
import { dspyStatus } from './status';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'inspector:optimize': true;
    'overlay:removeState': true;
    'settings:dspy': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly dspy: ProgramsController;
  }
}

export const programs: Contribution = {
  id: 'programs',
  inspectorTabs: [
    {
      id: 'optimize',
      label: 'Optimize',
      noun: 'optimizer',
      order: 30,
      guide: 'programs',
      when: ({ dspy }) => dspy.program !== null,
      fallback: 'run',
      load: () => import('./OptimizeTab.svelte'),
    },
  ],
  customEditors: [
    { id: 'program', label: 'Form', matches: (document) => customEditorOf(document) === 'form', load: () => import('./ProgramDocument.svelte') },
    { id: 'state', label: 'State', matches: (document) => customEditorOf(document) === 'state', load: () => import('./ProgramDocument.svelte') },
  ],
  overlays: [{ id: 'removeState', isOpen: ({ dspy }) => dspy.removing !== null, load: () => import('./RemoveStateOverlay.svelte') }],
  statusItems: [{ id: 'dspy', side: 'right', order: 50, status: dspyStatus }],
  settingsSections: [{ id: 'dspy', label: 'DSPy', order: 80, guide: 'programs', after: { load: () => import('./ProcessView.svelte') } }],
  settings: () => import('./settings'),
  tasks,
  guidePages: [{ id: 'programs', order: 70, load: () => import('./guide/programs.md?raw') }],
  services: { dspy: (services) => new ProgramsController(services) },
  commands: dspyCommands,
  lifecycle: (services) => ({ mounted: () => services.dspy.programs.watch() }),
};
