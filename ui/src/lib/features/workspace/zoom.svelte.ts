import type { Settings } from '$lib/api';

const KEY = 'ui.zoom';

/** In percent. The window accepts no other levels beyond the ends. */
const STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];

/** The zoom level of all windows. */
export class Zoom {
  /** 1 is 100 percent. */
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
    // The default isn't stored: a later version may change it.
    this.#settings.set(KEY, percent === 100 ? null : percent / 100);
  }
}
