import Icon from '@lucide/svelte/icons/flask-conical';
import type { Contribution } from '$lib/workbench/contribution';
import { evalsCommands } from './commands';
import { EvalsController } from './evalsController.svelte';
import { tasks } from './tasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'view:evals': true;
    'overlay:evalSkill': true;
    'overlay:evalRun': true;
    'overlay:evalExport': true;
    'overlay:evalCase': true;
    'overlay:evalRewrite': true;
    'overlay:evalDelete': true;
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly evals: EvalsController;
  }
}

export const evals: Contribution = {
  id: 'evals',
  views: [
    {
      id: 'evals',
      isMain: true,
      title: 'Evals',
      icon: Icon,
      order: 55,
      command: 'eval.show',
      load: () => import('./EvalsView.svelte'),
      guide: 'evals',
    },
  ],
  overlays: [
    { id: 'evalSkill', load: () => import('./SkillPickOverlay.svelte') },
    { id: 'evalRun', isOpen: ({ evals, overlays }) => evals.view?.setup.isOpen === true && overlays.current === null, load: () => import('./RunOverlay.svelte') },
    { id: 'evalExport', isOpen: ({ evals, overlays }) => evals.view?.runs.exporter.run != null && overlays.current === null, load: () => import('./ExportOverlay.svelte') },
    { id: 'evalCase', isOpen: ({ evals, overlays }) => evals.view?.table.saving.source != null && overlays.current === null, load: () => import('./SaveCaseOverlay.svelte') },
    { id: 'evalRewrite', isOpen: ({ evals, overlays }) => evals.view?.rewriting.setup.isOpen === true && overlays.current === null, load: () => import('./RewriteOverlay.svelte') },
    { id: 'evalDelete', isOpen: ({ evals, overlays }) => evals.view?.runs.deletion.run != null && overlays.current === null, load: () => import('./DeleteRunOverlay.svelte') },
  ],
  skillSections: [{ id: 'evals', label: 'Evals', load: () => import('./SkillEvals.svelte') }],
  tasks,
  guidePages: [{ id: 'evals', order: 75, load: () => import('./guide/evals.md?raw') }],
  services: { evals: (services) => new EvalsController(services) },
  commands: evalsCommands,
  lifecycle: (services) => ({
    keep: () => Promise.resolve(services.evals.view?.table.editor.commit(0, false)),
    reset: () => services.evals.view?.show(null),
  }),
};
