import type { Progress } from '$lib/platform';

/** Reports the progress of one call, and cancels it. */
export class CallControl {
  /** Identifies the call to the core. */
  readonly id = crypto.randomUUID();
  readonly #listeners = new Set<(progress: Progress) => void>();
  #sendCancel: ((call: string) => void) | null = null;
  #isCanceling = false;
  #hasEnded = false;

  /** Whether `cancel` was called; the call may have ended before. */
  get isCanceling(): boolean {
    return this.#isCanceling;
  }

  onProgress(listener: (progress: Progress) => void): this {
    this.#listeners.add(listener);
    return this;
  }

  /** Also works before the call has begun. Has no effect after its end. */
  cancel(): void {
    if (this.#isCanceling || this.#hasEnded) return;
    this.#isCanceling = true;
    this.#sendCancel?.(this.id);
  }

  // For the client

  begin(sendCancel: (call: string) => void): void {
    this.#sendCancel = sendCancel;
    if (this.#isCanceling) sendCancel(this.id);
  }

  report(progress: Progress): void {
    // Progress that arrives after the reply is outdated.
    if (!this.#hasEnded) for (const listener of this.#listeners) listener(progress);
  }

  end(): void {
    this.#hasEnded = true;
  }
}
