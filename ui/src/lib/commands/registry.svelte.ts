import { normalise, shortcutOf, type KeyPress } from './keys';

export interface Command {
  id: string;
  /** A verb first, sentence case: "Close tab". */
  title: string;
  group: string;
  /** The first is shown, all work; the person may have chosen others. Ask `keyOf` or `keysOf`. */
  keys?: readonly string[];
  /** Extra words that find it in the palette. */
  words?: string;
  /** Absent: always. A command that can't run isn't listed and its keys do nothing. */
  when?: () => boolean;
  /** Listed elsewhere only: its keys work, the palette leaves it out. */
  hidden?: boolean;
  /** Its keys also work in a palette, which gives way. */
  inPalette?: boolean;
  run: () => unknown;
}

const NONE: readonly string[] = [];

/** Every action of the window, its shortcut, and whether it can run now. */
export class Commands {
  list = $state.raw<readonly Command[]>([]);
  /** Gives the shortcuts that the person chose, by command; an empty list takes them away. */
  choice = $state.raw<() => ReadonlyMap<string, readonly string[]>>(() => new Map());
  /** While keys are recorded they run nothing. */
  paused = $state(false);
  readonly #chosen = $derived(this.choice());
  readonly #byId = $derived(new Map(this.list.map((command) => [command.id, command])));
  readonly #keys = $derived.by(() => {
    const keys = new Map<string, Command[]>();
    // What a person chose comes before a default that has the same key.
    const own = this.list.filter((command) => this.#chosen.has(command.id));
    for (const command of [...own, ...this.list.filter((one) => !this.#chosen.has(one.id))]) {
      for (const key of this.keysOf(command.id)) keys.set(normalise(key), [...(keys.get(normalise(key)) ?? []), command]);
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
    return this.#byId.get(id);
  }

  available(): Command[] {
    return this.list.filter((command) => !command.hidden && (command.when?.() ?? true));
  }

  /** The shortcuts that run a command: those that were chosen, else its own. */
  keysOf(id: string): readonly string[] {
    return this.#chosen.get(id) ?? this.get(id)?.keys ?? NONE;
  }

  /** The shortcut to show beside a button or a menu entry. */
  keyOf(id: string): string | undefined {
    return this.keysOf(id)[0];
  }

  /** All commands of a shortcut, the one that is asked first in front. */
  withKey(shortcut: string): readonly Command[] {
    return this.#keys.get(normalise(shortcut)) ?? [];
  }

  run(id: string): void {
    const command = this.get(id);
    if (command && (command.when?.() ?? true)) command.run();
  }

  /** What the key press stands for in the place one is at. */
  of(press: KeyPress): Command | undefined {
    return this.paused ? undefined : this.#keys.get(shortcutOf(press))?.find((one) => one.when?.() ?? true);
  }

  /** Runs what the key press stands for; false when it stands for nothing there. */
  press(press: KeyPress): boolean {
    const command = this.of(press);
    if (!command) return false;
    command.run();
    return true;
  }
}
