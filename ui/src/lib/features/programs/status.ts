import Icon from '@lucide/svelte/icons/workflow';
import type { Program } from '$lib/api/generated';
import type { StatusText } from '$lib/workbench/contribution';
import type { Services } from '$lib/workbench/services';

const LABELS: Record<Program.ProcessState, string> = {
  idle: 'DSPy idle',
  starting: 'DSPy starting',
  ready: 'DSPy ready',
  waiting: 'DSPy restarting',
  unavailable: 'DSPy unavailable',
};

/** Null until the state of the DSPy process is known. */
export function dspyStatus({ dspy }: Pick<Services, 'dspy'>): StatusText | null {
  const { status } = dspy.programs;
  return (
    status && {
      text: LABELS[status.state],
      title: status.reason ?? 'DSPy status',
      icon: Icon,
      isWarning: status.state === 'waiting',
      state: status.state,
      run: () => dspy.openSettings(),
    }
  );
}
