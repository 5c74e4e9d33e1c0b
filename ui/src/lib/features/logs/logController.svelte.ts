import type { Log } from '$lib/features/logs';
import type { Studio } from '$lib/app/studio.svelte';

/** The way to the app's own log, and to the report for questions about the app. */
export class LogController {
  /** With its filter, from the first look on. */
  current = $state.raw<Log | null>(null);
  readonly #studio: Studio;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  toggle(): void {
    this.#studio.layout.togglePanel('log');
  }

  /** It outlives the tab that shows it: a `$derived` that is made in a component stops when that goes. */
  async load(): Promise<void> {
    try {
      const { Log } = await import('$lib/features/logs');
      this.current ??= new Log(this.#studio.client);
    } catch (cause) {
      this.#studio.actions.report('Couldn’t load the log', cause, () => this.load());
    }
  }

  async copyDiagnostics(): Promise<void> {
    try {
      const { text } = await this.#studio.client.call('app/diagnostics', {});
      await this.#studio.copy(text, 'the diagnostics');
    } catch (cause) {
      this.#studio.actions.report('Couldn’t collect the diagnostics', cause, () => this.copyDiagnostics());
    }
  }
}
