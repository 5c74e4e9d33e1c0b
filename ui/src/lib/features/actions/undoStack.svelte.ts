import { asFailure, Failed } from '$lib/api';
import type { Toasts } from '$lib/components';
import type { Failure } from '$lib/api/generated';

export interface Step {
  /** "delete notes.md", as it reads after "Undo". */
  label: string;
  undo: () => Promise<void>;
  redo: () => Promise<void>;
}

/** Several steps as one. Each is undone although another one can't be, and none is undone twice. */
export function combineSteps(label: string, steps: readonly Step[]): Step {
  const undone = new Set<Step>();
  const all = async (which: 'undo' | 'redo', pending: readonly Step[]): Promise<void> => {
    const failures: Failure[] = [];
    for (const step of pending) {
      try {
        await step[which]();
        if (which === 'undo') undone.add(step);
        else undone.delete(step);
      } catch (cause) {
        failures.push(asFailure(cause));
      }
    }
    const [first] = failures;
    if (first) throw new Failed(steps.length === 1 ? first : { ...first, message: `${failures.length} of ${steps.length} failed: ${first.message}` });
  };
  return {
    label,
    undo: () => all('undo', steps.filter((step) => !undone.has(step)).toReversed()),
    redo: () => all('redo', steps.filter((step) => undone.has(step))),
  };
}

const MAX_STEPS = 100;
/** Failures for which a retry is pointless. */
const FINAL = new Set<Failure['code']>(['revisionConflict', 'notFound', 'exists', 'locked', 'invalid', 'hasDependents']);

/** Undo and redo of changes made in this window, newest last. */
export class UndoStack {
  done = $state.raw<readonly Step[]>([]);
  undone = $state.raw<readonly Step[]>([]);
  readonly #toasts: Toasts;
  /** The toast of the last step. */
  #toastId: number | null = null;
  /** Undo and redo run one after the other. */
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

  /** Adds a step and shows a toast with Undo. */
  push(message: string, step: Step, hint: string | null = null): void {
    this.done = [...this.done, step].slice(-MAX_STEPS);
    this.undone = [];
    this.#dismissToast();
    this.#toastId = this.#toasts.show(message, { hint, actions: [{ label: 'Undo', run: () => this.undo(step) }] });
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

  clear(): void {
    [this.done, this.undone] = [[], []];
    this.#dismissToast();
  }

  #dismissToast(): void {
    if (this.#toastId !== null) this.#toasts.dismiss(this.#toastId);
    this.#toastId = null;
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
      this.#dismissToast();
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
