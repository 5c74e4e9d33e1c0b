import type { RewriteOutcome } from './rewriteOutcome.svelte';

type Shown = Pick<RewriteOutcome, 'value' | 'proposal' | 'revision' | 'wasCanceled'>;

/** What became of a rewrite, in one sentence. */
export function describeOutcome({ value, proposal, revision }: Shown): { text: string; tone: 'ok' | 'info' } {
  if (value.promoted) return { text: `Accepted as revision ${value.promoted.revision}, as declared in the manifest.`, tone: 'ok' };
  if (revision !== null) return { text: `Accepted as revision ${revision}.`, tone: 'ok' };
  if (proposal?.status === 'rejected') return { text: 'The proposal was rejected. The instructions are unchanged.', tone: 'info' };
  if (value.proposal !== null) return { text: 'Proposal ready. Nothing changes before it is accepted.', tone: 'ok' };
  if (value.attempts.length === 0) return { text: 'It ended before the first attempt. The instructions are unchanged.', tone: 'info' };
  return { text: 'No attempt helped. The instructions are unchanged.', tone: 'info' };
}

/** What to know before the result is trusted. */
export function remarksOn({ value, wasCanceled }: Shown): string[] {
  const { over_budget: isOver, validation, validation_run: run, proposal } = value;
  const remarks: string[] = [];
  if (wasCanceled) remarks.push('Canceled before all attempts were made.');
  else if (isOver) remarks.push('A limit was reached before the search ended.');
  if (proposal === null) return remarks;
  if (validation === null) remarks.push(`${run === null ? 'No validation cases were run' : 'Not all validation cases could be graded'}, so the result may fit the training cases only.`);
  else if (validation.after < validation.before) remarks.push('Fewer validation cases pass than before: the edits fit the training cases only.');
  else if (validation.after === validation.before) remarks.push('No more validation cases pass than before.');
  return remarks;
}
