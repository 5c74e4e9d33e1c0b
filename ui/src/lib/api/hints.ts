import type { Failure, NextStep } from '$lib/api/generated';

/** Hints for the next steps that differ from the core's. */
const WINDOW_HINTS: Partial<Record<NextStep, string>> = {
  addModel: 'Add a provider in Settings > Models.',
  findProvider: 'Check the providers in Settings > Models.',
  setKey: 'Check the API key in Settings > Models.',
  checkKeyStore: 'See API keys in Settings > Models.',
  mergeProposal: 'Review the proposal and merge it with the present skill.',
  setValues: 'Fill in the missing inputs.',
  checkDspy: 'Check the process in Settings > DSPy.',
  openWorkspace: 'Open a folder first.',
};

export function hintOf({ hint, nextStep }: Partial<Pick<Failure, 'hint' | 'nextStep'>>): string | null {
  return (nextStep === undefined || nextStep === null ? undefined : WINDOW_HINTS[nextStep]) ?? hint ?? null;
}
