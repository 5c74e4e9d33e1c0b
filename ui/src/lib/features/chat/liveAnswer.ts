import type { Chat } from '$lib/api/generated';

type Progress = Extract<Chat.ChatEvent, { event: 'step' | 'text' }>;

/** The steps of an answer while they arrive. A fast model sends hundreds of pieces a second: they are shown once a frame. */
export class LiveAnswer {
  readonly #show: (steps: Chat.ChatStep[], message: string) => void;
  #message: string | null = null;
  #steps: Chat.ChatStep[] = [];
  /** Events of an answer whose beginning is still being read. */
  #early: Progress[] = [];
  /** Whether the next frame shows the steps. */
  #asked = false;

  constructor(show: (steps: Chat.ChatStep[], message: string) => void) {
    this.#show = show;
  }

  begin(message: string, steps: readonly Chat.ChatStep[]): void {
    this.#message = message;
    const early = this.#early.filter((event) => event.message === message);
    // What the events have is left out of what was read, which may have a part of it.
    this.#steps = steps.slice(0, Math.min(steps.length, ...early.map((event) => event.position)));
    this.#early = [];
    for (const event of early) this.apply(event);
  }

  apply(event: Progress): void {
    if (event.message !== this.#message) {
      this.#early.push(event);
      return;
    }
    const steps = this.#steps;
    if (event.event === 'step') steps[event.position] = event.step;
    else {
      const step = steps[event.position];
      const before = step?.kind === 'text' ? step.text : '';
      steps[event.position] = { kind: 'text', round: 0, text: before + event.text, last: false };
    }
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      if (this.#asked) this.flush();
    });
  }

  flush(): void {
    this.#asked = false;
    // A step whose predecessor was missed is shown when the answer has ended.
    if (this.#message !== null) this.#show(this.#steps.filter((step) => step as Chat.ChatStep | undefined), this.#message);
  }

  clear(): void {
    this.#asked = false;
    this.#message = null;
    this.#steps = [];
    this.#early = [];
  }
}
