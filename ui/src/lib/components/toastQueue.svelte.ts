export type Tone = 'info' | 'ok' | 'warn' | 'error';

export interface ToastAction {
  label: string;
  run: () => unknown;
  /** Whether the toast stays, for its other actions. */
  keepsToast?: true;
}

export interface Toast {
  id: number;
  tone: Tone;
  message: string;
  hint: string | null;
  actions: ToastAction[];
}

export interface ToastOptions {
  tone?: Tone;
  hint?: string | null;
  actions?: ToastAction[];
  /** Milliseconds; 0 until dismissed, as errors are. */
  lasts?: number;
}

export class Toasts {
  list = $state.raw<Toast[]>([]);
  #next = 1;
  #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #held = false;

  show(message: string, options: ToastOptions = {}): number {
    const id = this.#next++;
    const tone = options.tone ?? 'info';
    const actions = options.actions ?? [];
    // Replaces a toast with the same message.
    const rest = this.list.filter((toast) => toast.message !== message || toast.tone !== tone);
    this.list = [...rest.slice(-3), { id, tone, message, hint: options.hint ?? null, actions }];
    const lasts = options.lasts ?? (tone === 'error' ? 0 : actions.length > 0 ? 12_000 : 5_000);
    if (lasts > 0) this.#start(id, lasts);
    return id;
  }

  dismiss(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  /** Closes the newest toast. False if there is none. */
  dismissLast(): boolean {
    const last = this.list.at(-1);
    if (last) this.dismiss(last.id);
    return last !== undefined;
  }

  act(toast: Toast, action: ToastAction): void {
    if (!action.keepsToast) this.dismiss(toast.id);
    action.run();
  }

  /** Keeps toasts while the pointer or the focus is on them. */
  hold(held: boolean): void {
    this.#held = held;
  }

  #start(id: number, ms: number): void {
    this.#timers.set(
      id,
      setTimeout(() => {
        if (this.#held) this.#start(id, 1_500);
        else this.dismiss(id);
      }, ms),
    );
  }
}
