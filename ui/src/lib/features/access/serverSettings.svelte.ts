import type { Settings } from '$lib/api';
import { isRecord } from '$lib/domain';

const SETTING = 'server.http';
/** As in the core. */
const DEFAULT_PORT = 4680;
const MAX_PORT = 65_535;

export class ServerSettings {
  portProblem = $state('');
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get #stored(): Record<string, unknown> {
    const value = this.#settings.get(SETTING);
    return isRecord(value) ? value : {};
  }

  get port(): number {
    const { port } = this.#stored;
    return typeof port === 'number' ? port : DEFAULT_PORT;
  }

  get startsWithApp(): boolean {
    return this.#stored['start_with_app'] === true;
  }

  setStartsWithApp(on: boolean): void {
    this.#store({ start_with_app: on });
  }

  /** An empty text is the default. */
  setPort(text: string): void {
    const typed = text.trim();
    const port = typed === '' ? DEFAULT_PORT : Number(typed);
    if (!/^\d*$/.test(typed) || port > MAX_PORT) {
      this.portProblem = `Enter a port from 1 to ${MAX_PORT}, or 0 for any free one. Current value: ${this.port}.`;
      return;
    }
    this.portProblem = '';
    this.#store({ port });
  }

  /** Only values that differ from the default are stored. */
  #store(change: { start_with_app?: boolean; port?: number }): void {
    const { port, start_with_app } = { port: this.port, start_with_app: this.startsWithApp, ...change };
    const own = { ...(start_with_app ? { start_with_app } : {}), ...(port === DEFAULT_PORT ? {} : { port }) };
    this.#settings.set(SETTING, Object.keys(own).length === 0 ? null : own);
  }
}
