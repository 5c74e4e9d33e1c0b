import type { Settings } from '$lib/api';

const KEY = 'ui.zoom';

/** In percent; the ends are what the window takes. */
const STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];

/** How large everything is shown, in all windows of this machine. */
export class Zoom {
  /** 1 is as designed. */
  readonly level = $derived.by<number>(() => {
    const value = this.#settings.get(KEY);
    return typeof value === 'number' && value >= 0.5 && value <= 3 ? value : 1;
  });
  readonly percent = $derived(Math.round(this.level * 100));
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get canGrow(): boolean {
    return this.percent < 300;
  }

  get canShrink(): boolean {
    return this.percent > 50;
  }

  step(by: 1 | -1): void {
    const next = by > 0 ? STEPS.find((step) => step > this.percent) : STEPS.findLast((step) => step < this.percent);
    if (next !== undefined) this.#set(next);
  }

  reset(): void {
    this.#set(100);
  }

  #set(percent: number): void {
    // The usual isn't kept, so that it stays the usual.
    this.#settings.set(KEY, percent === 100 ? null : percent / 100);
  }
}
