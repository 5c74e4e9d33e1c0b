import type { Contribution } from '$lib/workbench/contribution';
import { RunViewModel } from './runViewModel.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly runView: RunViewModel;
  }
}

export const run: Contribution = {
  id: 'run',
  services: {
    runView: (services) =>
      new RunViewModel(services.client, services.feed, services.models, services.settings, services.preview, {
        document: () => (services.tabs.document?.status === 'ready' ? services.tabs.document : null),
        skill: () => services.context.skill,
        save: (target) => services.files.saveForRun(target, target.artifact === null ? null : [target.artifact]),
        trust: () => services.workspace.askTrust('Trust and run'),
      }),
  },
};
