import type { Task, TaskState } from '$lib/api';

export const STATE_WORDS: Record<TaskState, string> = {
  going: 'Running',
  stopping: 'Canceling',
  done: 'Done',
  failed: 'Failed',
  stopped: 'Canceled',
};

/** "0:07", "12:30", "1:02:03" */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (part: number): string => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** What a screen reader hears of a task that ended. */
export const endWords = (task: Task): string => `${task.title}: ${STATE_WORDS[task.state].toLowerCase()}${task.note === '' ? '' : `, ${task.note}`}`;
