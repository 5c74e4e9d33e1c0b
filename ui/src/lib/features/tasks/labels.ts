import type { Task, TaskState } from '$lib/api';

export const STATE_LABELS: Record<TaskState, string> = {
  running: 'Running',
  canceling: 'Canceling',
  done: 'Done',
  failed: 'Failed',
  canceled: 'Canceled',
};

/** "0:07", "12:30", "1:02:03" */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (part: number): string => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** For screen readers. */
export const endLabel = (task: Task): string => `${task.title}: ${STATE_LABELS[task.state].toLowerCase()}${task.note === '' ? '' : `, ${task.note}`}`;
