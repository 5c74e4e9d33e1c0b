import { hintOf } from './hints';
import type { Diagnostic, Failure, Run } from '$lib/api/generated';

/** The core's failure as an `Error`. */
export class Failed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'Failed';
    this.failure = failure;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type PartialFailure = Partial<Failure> & Pick<Failure, 'code' | 'message'>;

function isFailure(value: unknown): value is PartialFailure {
  return isRecord(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}

/** Any thrown value as a failure that can be shown. */
export function asFailure(cause: unknown): Failure {
  if (cause instanceof Failed) return cause.failure;
  if (isFailure(cause)) {
    const { code, message, fields = null, requestId = '' } = cause;
    return { code, message, hint: hintOf(cause), fields, requestId };
  }
  const message = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : 'unexpected error';
  return { code: 'internal', message, hint: null, fields: null, requestId: '' };
}

/** "the message" as "The message." */
export function sentence(message: string): string {
  // Paths and file names keep their case.
  const named = /^[^\s:]*[^\s:.][/.]\w/u.test(message);
  const first = named ? message : message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/u.test(first) ? first : `${first}.`;
}

export type Explained = Pick<Failure, 'message' | 'hint'> & Partial<Pick<Failure, 'nextStep'>>;

/** What failed and what to do, as sentences. */
export function explanation(failure: Explained): string {
  const { message } = failure;
  const hint = hintOf(failure);
  return hint ? `${sentence(message)} ${sentence(hint)}` : sentence(message);
}

export function diagnosticsOf(failure: Failure): Diagnostic[] {
  const list = failure.fields?.['diagnostics'];
  return Array.isArray(list) ? (list as Diagnostic[]) : [];
}

/** The required inputs that a run lacks. */
export function missingOf(failure: Failure): Run.MissingInput[] {
  const list = failure.fields?.['missing'];
  return Array.isArray(list) ? (list as Run.MissingInput[]) : [];
}

/** Messages by field of the form. */
export function problemsOf(failure: Failure): Record<string, string> {
  const list = failure.fields?.['problems'];
  if (!Array.isArray(list)) return {};
  return Object.fromEntries((list as { field: string; message: string }[]).map((one) => [one.field, one.message]));
}

export interface ConflictFields {
  path: string;
  revision: number;
  base: string;
  theirs: string;
  ours: string;
}

/** Null unless the failure is a `revisionConflict`. */
export function conflictOf(failure: Failure): ConflictFields | null {
  if (failure.code !== 'revisionConflict' || !failure.fields) return null;
  const { path, revision, base, theirs, ours } = failure.fields;
  if (typeof path !== 'string' || typeof revision !== 'number') return null;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { path, revision, base: text(base), theirs: text(theirs), ours: text(ours) };
}
