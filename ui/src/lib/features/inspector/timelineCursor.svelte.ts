import type { Timeline } from './timeline.svelte';

/** Entries before the end at which older ones are loaded. */
const AHEAD = 10;

/** The selected entry of a timeline. */
export class TimelineCursor {
  id = $state<string | null>(null);
  readonly #timeline: Timeline;
  readonly index = $derived.by(() => this.#timeline.items.findIndex((item) => item.id === this.id));
  readonly item = $derived.by(() => this.#timeline.items[this.index] ?? null);

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  moveTo(index: number): void {
    this.id = this.#timeline.items[index]?.id ?? this.id;
    if (index >= this.#timeline.items.length - AHEAD) void this.#timeline.loadOlder();
  }
}
