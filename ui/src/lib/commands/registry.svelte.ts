import { normalise, shortcutOf, type KeyPress } from './keys';

export interface Command {
  id: string;
  /** A verb first, sentence case: "Close tab". */
  title: string;
  group: string;
  /** The first is shown, all work. */
  keys?: readonly string[];
  /** Extra words that find it in the palette. */
  words?: string;
  /** Absent: always. A command that can't run isn't listed and its keys do nothing. */
  when?: () => boolean;
  /** Listed elsewhere only: its keys work, the palette leaves it out. */
  hidden?: boolean;
  run: () => unknown;
}

/** Every action of the window, its shortcut, and whether it can run now. */
export class Commands {
  list = $state.raw<readonly Command[]>([]);
  readonly #keys = $derived.by(() => {
    const keys = new Map<string, Command[]>();
    for (const command of this.list) {
      for (const key of command.keys ?? []) keys.set(normalise(key), [...(keys.get(normalise(key)) ?? []), command]);
    }
    return keys;
  });

  add(commands: readonly Command[]): void {
    const taken = new Set(this.list.map((command) => command.id));
    for (const { id } of commands) {
      if (taken.has(id)) throw new Error(`command ${id} exists already`);
      taken.add(id);
    }
    this.list = [...this.list, ...commands];
  }

  get(id: string): Command | undefined {
    return this.list.find((command) => command.id === id);
  }

  available(): Command[] {
    return this.list.filter((command) => !command.hidden && (command.when?.() ?? true));
  }

  /** The shortcut to show beside a button or a menu entry. */
  keyOf(id: string): string | undefined {
    return this.get(id)?.keys?.[0];
  }

  run(id: string): void {
    const command = this.get(id);
    if (command && (command.when?.() ?? true)) command.run();
  }

  /** Runs what the key press stands for in the place one is at; false when it stands for nothing there. */
  press(press: KeyPress): boolean {
    const command = this.#keys.get(shortcutOf(press))?.find((one) => one.when?.() ?? true);
    if (!command) return false;
    command.run();
    return true;
  }
}
