import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'commands' | 'overlays' | 'quickOpen'>;

const MAX_RECENT = 8;

/** The command palette and the quick open. */
export class Palette {
  /** Ids of commands, last used first. */
  recent = $state.raw<readonly string[]>([]);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  showCommands(): void {
    this.#services.overlays.show('commands');
  }

  showQuickOpen(): void {
    const { overlays, quickOpen } = this.#services;
    if (overlays.current === 'quick') return;
    quickOpen.start();
    overlays.show('quick');
  }

  run(id: string): void {
    const { commands, overlays } = this.#services;
    // Checked before the palette closes, since afterwards nothing may have the focus yet.
    const command = commands.get(id);
    const canRun = command?.when?.() ?? true;
    overlays.close();
    this.recent = [id, ...this.recent.filter((one) => one !== id)].slice(0, MAX_RECENT);
    if (canRun) command?.run();
  }
}
