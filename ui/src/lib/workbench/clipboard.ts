import type { Toasts } from '$lib/components';
import type { Platform } from '$lib/platform';
import type { Notifications } from './notifications';

export class Clipboard {
  readonly #platform: Platform;
  readonly #toasts: Toasts;
  readonly #notifications: Notifications;

  constructor(platform: Platform, toasts: Toasts, notifications: Notifications) {
    this.#platform = platform;
    this.#toasts = toasts;
    this.#notifications = notifications;
  }

  /** `what` is named in the toast: "the path". */
  async copy(text: string, what: string): Promise<void> {
    try {
      await this.#platform.copyText(text);
      this.#toasts.show(`Copied ${what}`, { lasts: 2_500 });
    } catch (cause) {
      this.#notifications.report(`Couldn’t copy ${what}`, cause);
    }
  }
}
