import { Tasks } from '$lib/api';
import type { Contribution } from '$lib/workbench/contribution';
import { trackTasks } from './taskTable';

declare module '$lib/workbench/services' {
  interface Services {
    readonly tasks: Tasks;
  }
}

export const tasks: Contribution = {
  id: 'tasks',
  services: {
    tasks: (services) => {
      const list = new Tasks();
      trackTasks(list, services);
      return list;
    },
  },
};
