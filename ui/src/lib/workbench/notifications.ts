import { asFailure } from '$lib/api';
import type { Failure } from '$lib/api/generated';
import type { Toasts } from '$lib/components';

export class Notifications {
  readonly #toasts: Toasts;

  constructor(toasts: Toasts) {
    this.#toasts = toasts;
  }

  /** Shows a toast with the failure, its hint and, if `retry` is given, a button for it. */
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

  /** For calls that return their failure; null is success. */
  reportFailure(what: string, failure: Failure | null): void {
    if (failure) this.report(what, failure);
  }
}
