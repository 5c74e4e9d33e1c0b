import type { Diagnostic, Failure, MissingInput } from '$lib/api/generated';

/** What a call rejects with: the core's failure, as an error that can be thrown. */
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

type Told = Partial<Failure> & Pick<Failure, 'code' | 'message'>;

function isFailure(value: unknown): value is Told {
  return isRecord(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}

/** Whatever was thrown, as a failure that can be shown. */
export function asFailure(cause: unknown): Failure {
  if (cause instanceof Failed) return cause.failure;
  if (isFailure(cause)) {
    const { code, message, hint = null, fields = null, requestId = '' } = cause;
    return { code, message, hint, fields, requestId };
  }
  const message = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : 'unexpected error';
  return { code: 'internal', message, hint: null, fields: null, requestId: '' };
}

/** "notFound" from the code, "the message" as a sentence. */
export function sentence(message: string): string {
  // A path or a file's name at the beginning would be another one with a capital.
  const named = /^[^\s:]*[^\s:.][/.]\w/u.test(message);
  const first = named ? message : message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/u.test(first) ? first : `${first}.`;
}

/** The diagnostics that an `invalid` failure carries. */
export function diagnosticsOf(failure: Failure): Diagnostic[] {
  const list = failure.fields?.['diagnostics'];
  return Array.isArray(list) ? (list as Diagnostic[]) : [];
}

/** The values that a refused run lacks. */
export function missingOf(failure: Failure): MissingInput[] {
  const list = failure.fields?.['missing'];
  return Array.isArray(list) ? (list as MissingInput[]) : [];
}

/** What is wrong with the fields of a form, by field. */
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
  mine: string;
}

/** The three texts of a `revisionConflict`; null when the failure is something else. */
export function conflictOf(failure: Failure): ConflictFields | null {
  if (failure.code !== 'revisionConflict' || !failure.fields) return null;
  const { path, revision, base, theirs, mine } = failure.fields;
  if (typeof path !== 'string' || typeof revision !== 'number') return null;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { path, revision, base: text(base), theirs: text(theirs), mine: text(mine) };
}
