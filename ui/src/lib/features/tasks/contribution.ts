import ListX from '@lucide/svelte/icons/list-x';
import { Tasks } from '$lib/api';
import type { Contribution } from '$lib/workbench/contribution';
import type { TaskLabel } from './taskLabel';
import TasksStatusItem from './TasksStatusItem.svelte';
import TasksTab from './TasksTab.svelte';
import { trackTasks } from './trackTasks';

declare module '$lib/workbench/ids' {
  interface ContributedIds {
    'panel:tasks': true;
  }
}

declare module '$lib/workbench/contribution' {
  interface Contribution {
    tasks?: readonly TaskLabel[];
  }
}

declare module '$lib/workbench/services' {
  interface Services {
    readonly tasks: Tasks;
  }
}

export const tasks: Contribution = {
  id: 'tasks',
  panelTabs: [
    {
      id: 'tasks',
      label: 'Tasks',
      order: 30,
      component: TasksTab,
      count: ({ tasks }) => tasks.running.length,
      actions: ({ tasks }) => (tasks.ended.length === 0 ? [] : [{ label: 'Clear finished tasks', icon: ListX, run: () => tasks.clear() }]),
    },
  ],
  statusItems: [{ id: 'tasks', side: 'right', order: 10, component: TasksStatusItem }],
  guidePages: [{ id: 'tasks', order: 140, load: () => import('./guide/tasks.md?raw') }],
  services: {
    tasks: (services) => {
      const list = new Tasks();
      trackTasks(list, services);
      return list;
    },
  },
};
