import type { Contribution } from '$lib/workbench/contribution';
import { skillsCommands } from './commands';

export const skills: Contribution = {
  id: 'skills',
  commands: skillsCommands,
};
