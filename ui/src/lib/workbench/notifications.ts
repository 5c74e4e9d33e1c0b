import { asFailure } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import type { Toasts } from '$lib/components';

/** Tells that something failed. */
export class Notifications {
  readonly #toasts: Toasts;

  constructor(toasts: Toasts) {
    this.#toasts = toasts;
  }

  /** Says that something didn't work, with the next step. */
  report(what: string, cause: unknown, retry?: () => unknown): void {
    const failure = asFailure(cause);
    const dependents = failure.fields?.['dependents'];
    const names = Array.isArray(dependents) ? `Needed by ${dependents.join(', ')}.` : null;
    this.#toasts.show(`${what}: ${failure.message}`, {
      tone: 'error',
      hint: failure.hint ?? names,
      actions: retry ? [{ label: 'Try again', run: retry }] : [],
    });
  }

  /** The same for a call that gives its failure back; null is success. */
  reportFailure(what: string, failure: Failure | null): void {
    if (failure) this.report(what, failure);
  }
}
