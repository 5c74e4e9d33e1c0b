import { asFailure } from '$lib/api';
import type { Toasts } from '$lib/components';
import type { Failure } from '$lib/api/generated';

/** Something that was done to skills or files and can be taken back. */
export interface Step {
  /** "delete notes.md", as it reads after "Undo". */
  label: string;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
}

const MOST = 100;
/** After these, trying once more would say the same. */
const FINAL = new Set<Failure['code']>(['revisionConflict', 'notFound', 'exists', 'locked', 'invalid', 'hasDependents']);

/** What was done, newest last, so that it can be taken back and done again. It is the window's: what others write isn't in it. */
export class Journal {
  done = $state.raw<readonly Step[]>([]);
  undone = $state.raw<readonly Step[]>([]);
  readonly #toasts: Toasts;
  /** The message about the last step: there is one at a time. */
  #told: number | null = null;
  /** One after the other: each begins where the one before ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(toasts: Toasts) {
    this.#toasts = toasts;
  }

  get undoLabel(): string | null {
    return this.done.at(-1)?.label ?? null;
  }

  get redoLabel(): string | null {
    return this.undone.at(-1)?.label ?? null;
  }

  /** Notes a step, and says what was done with a way back. */
  did(message: string, step: Step, hint: string | null = null): void {
    this.done = [...this.done, step].slice(-MOST);
    this.undone = [];
    this.#forgetToast();
    this.#told = this.#toasts.show(message, { hint, actions: [{ label: 'Undo', run: () => this.undo(step) }] });
  }

  undo(step?: Step): Promise<void> {
    return this.#next(() => this.#undo(step ?? this.done.at(-1)));
  }

  redo(): Promise<void> {
    return this.#next(() => this.#redo());
  }

  async #undo(step: Step | undefined): Promise<void> {
    if (!step || !this.done.includes(step)) return;
    if (await this.#try('undo', step.label, step.undo, () => (this.done = without(this.done, step)))) this.undone = [...this.undone, step];
  }

  async #redo(): Promise<void> {
    const step = this.undone.at(-1);
    if (!step) return;
    if (await this.#try('redo', step.label, step.redo, () => (this.undone = without(this.undone, step)))) this.done = [...this.done, step];
  }

  /** Another workspace is open: its files aren't these. */
  clear(): void {
    [this.done, this.undone] = [[], []];
  }

  #forgetToast(): void {
    if (this.#told !== null) this.#toasts.dismiss(this.#told);
    this.#told = null;
  }

  #next(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn;
    return turn;
  }

  async #try(verb: 'undo' | 'redo', label: string, work: () => Promise<void>, take: () => void): Promise<boolean> {
    try {
      await work();
      take();
      this.#forgetToast();
      this.#toasts.show(verb === 'undo' ? `Undid: ${label}` : `Redid: ${label}`, {
        lasts: 4_000,
        actions: verb === 'undo' ? [{ label: 'Redo', run: () => this.redo() }] : [],
      });
      return true;
    } catch (cause) {
      const failure = asFailure(cause);
      if (FINAL.has(failure.code)) take();
      const again = FINAL.has(failure.code) ? [] : [{ label: 'Try again', run: () => (verb === 'undo' ? this.undo() : this.redo()) }];
      this.#toasts.show(`Couldn’t ${verb} “${label}”: ${failure.message}`, { tone: 'error', hint: failure.hint, actions: again });
      return false;
    }
  }
}

const without = (steps: readonly Step[], step: Step): Step[] => steps.filter((one) => one !== step);
