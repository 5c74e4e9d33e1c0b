import type { Contribution } from '$lib/workbench/contribution';
import { dspyCommands } from './commands';
import { ProgramsController } from './programsController.svelte';

declare module '$lib/workbench/services' {
  interface Services {
    readonly dspy: ProgramsController;
  }
}

export const programs: Contribution = {
  id: 'programs',
  services: { dspy: (services) => new ProgramsController(services) },
  commands: dspyCommands,
  lifecycle: (services) => ({ mounted: () => services.dspy.programs.watch(), reset: () => services.dspy.reset() }),
};
