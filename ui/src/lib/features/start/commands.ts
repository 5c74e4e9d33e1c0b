import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

export function startCommands({ samples }: Pick<Services, 'samples'>): Command[] {
  return [
    { id: 'start.prompt', group: 'Help', title: 'Open sample prompt', inGuide: true, keywords: 'start preview render template', when: () => samples.prompt !== null, run: () => samples.openPrompt() },
    { id: 'start.script', group: 'Help', title: 'Run sample script', inGuide: true, keywords: 'start link auditor sandbox', when: () => samples.script !== null, run: () => samples.runScript() },
  ];
}
