import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'commands' | 'overlays' | 'quickOpen' | 'treeInput'>;

const MAX_RECENT = 8;

/** The command palette and the quick open. */
export class Palette {
  /** Ids of commands, last used first. */
  recent = $state.raw<readonly string[]>([]);
  /** Whether the tree had the focus when the palette was opened. */
  #fromTree = $state(false);
  #isRunning = $state(false);
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
  }

  /** Whether the command palette is open, or its command is being started, and the tree had the focus before. */
  get isFromTree(): boolean {
    return this.#fromTree && (this.#isRunning || this.#services.overlays.current === 'commands');
  }

  showCommands(): void {
    this.#show('commands');
  }

  showQuickOpen(): void {
    const { overlays, quickOpen } = this.#services;
    if (overlays.current === 'quick') return;
    quickOpen.start();
    this.#show('quick');
  }

  run(id: string): void {
    const { commands, overlays } = this.#services;
    // Checked before the palette closes, since afterwards nothing may have the focus yet.
    const command = commands.get(id);
    const canRun = command?.when?.() ?? true;
    overlays.close();
    this.recent = [id, ...this.recent.filter((one) => one !== id)].slice(0, MAX_RECENT);
    this.#isRunning = true;
    try {
      if (canRun) command?.run();
    } finally {
      this.#isRunning = false;
    }
  }

  #show(id: 'commands' | 'quick'): void {
    const { overlays, treeInput } = this.#services;
    // Quick open leads to the commands.
    if (overlays.current === null) this.#fromTree = treeInput.focused;
    overlays.show(id);
  }
}
