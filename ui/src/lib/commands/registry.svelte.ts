import { Chord } from './chord.svelte';
import { normalize, shortcutOf, type KeyPress } from './keys';

export interface Command {
  id: string;
  /** A verb first, sentence case: "Close tab". */
  title: string;
  group: string;
  /** Default shortcuts, the first of which is shown. `keyOf` and `keysOf` give those in effect. */
  keys?: readonly string[];
  /** Extra search terms for the palette. */
  keywords?: string;
  /** Absent: always. While false, the command isn't listed and its keys do nothing. */
  when?: () => boolean;
  /** The palette doesn't list it. */
  hidden?: boolean;
  /** Whether pages of the guide can run it. Only for commands that change nothing. */
  inGuide?: true;
  /** Whether its keys also work in a palette, which they close. */
  inPalette?: boolean;
  run: () => unknown;
}

const NONE: readonly string[] = [];

export class Commands {
  list = $state.raw<readonly Command[]>([]);
  /** The user's shortcuts by command; an empty list removes the defaults. */
  choice = $state.raw<() => ReadonlyMap<string, readonly string[]>>(() => new Map());
  readonly chord = new Chord();
  readonly #chosen = $derived(this.choice());
  readonly #byId = $derived(new Map(this.list.map((command) => [command.id, command])));
  readonly #keys = $derived.by(() => {
    const keys = new Map<string, Command[]>();
    // The user's shortcuts precede defaults with the same key.
    const own = this.list.filter((command) => this.#chosen.has(command.id));
    for (const command of [...own, ...this.list.filter((one) => !this.#chosen.has(one.id))]) {
      for (const key of this.keysOf(command.id)) keys.set(normalize(key), [...(keys.get(normalize(key)) ?? []), command]);
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

  /** The user's shortcuts of a command, else its defaults. */
  keysOf(id: string): readonly string[] {
    return this.#chosen.get(id) ?? this.get(id)?.keys ?? NONE;
  }

  /** The shortcut to show beside a button or a menu entry. */
  keyOf(id: string): string | undefined {
    return this.keysOf(id)[0];
  }

  /** In order of precedence. */
  withKey(shortcut: string): readonly Command[] {
    return this.#keys.get(normalize(shortcut)) ?? [];
  }

  run(id: string): void {
    const command = this.get(id);
    if (command && (command.when?.() ?? true)) command.run();
  }

  /** The command of a key press whose `when` holds. */
  of(press: KeyPress): Command | undefined {
    return this.chord.paused ? undefined : this.#enabled(shortcutOf(press));
  }

  /** False if no command has these keys now, and no chord begins with them. */
  press(press: KeyPress): boolean {
    const { chord } = this;
    if (chord.paused) return false;
    const first = chord.pending;
    const keys = first === null ? shortcutOf(press) : `${first} ${shortcutOf(press)}`;
    chord.cancel();
    const command = this.#enabled(keys);
    if (command) command.run();
    else if (first !== null) chord.reject(keys);
    else if (this.#begins(keys)) chord.begin(keys);
    else return false;
    return true;
  }

  #enabled(keys: string): Command | undefined {
    return this.#keys.get(keys)?.find((one) => one.when?.() ?? true);
  }

  #begins(stroke: string): boolean {
    return [...this.#keys.keys()].some((keys) => keys.startsWith(`${stroke} `) && this.#enabled(keys) !== undefined);
  }
}
