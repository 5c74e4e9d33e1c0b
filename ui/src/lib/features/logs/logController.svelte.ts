import type { LogState } from '$lib/features/logs';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'client' | 'clipboard' | 'layout' | 'notifications'>;

/** The way to the app's own log, and to the report for questions about the app. */
export class LogController {
  /** With its filter, from the first look on. */
  current = $state.raw<LogState | null>(null);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  toggle(): void {
    this.#services.layout.panel.toggle('log');
  }

  /** It outlives the tab that shows it: a `$derived` that is made in a component stops when that goes. */
  async load(): Promise<void> {
    try {
      const { LogState } = await import('$lib/features/logs');
      this.current ??= new LogState(this.#services.client);
    } catch (cause) {
      this.#services.notifications.report('Couldn’t load the log', cause, () => this.load());
    }
  }

  async copyDiagnostics(): Promise<void> {
    try {
      const { text } = await this.#services.client.call('app/diagnostics', {});
      await this.#services.clipboard.copy(text, 'the diagnostics');
    } catch (cause) {
      this.#services.notifications.report('Couldn’t collect the diagnostics', cause, () => this.copyDiagnostics());
    }
  }
}
