import type { Settings } from '$lib/api';
import { type Command, type Commands, normalise, shortcutProblem } from '$lib/commands';

const KEY = 'ui.keys';

interface Read {
  chosen: ReadonlyMap<string, readonly string[]>;
  /** What of the stored shortcuts was left out, and why. */
  notes: string[];
}

/** The shortcuts that the person chose over the usual ones. */
export class Keymap {
  readonly #settings: Settings;
  readonly #commands: Commands;
  readonly #read = $derived.by(() => this.#parse(this.#settings.get(KEY)));
  readonly notes = $derived(this.#read.notes);
  readonly changed = $derived(this.#read.chosen.size);

  constructor(settings: Settings, commands: Commands) {
    this.#settings = settings;
    this.#commands = commands;
    commands.choice = () => this.#read.chosen;
  }

  isChanged(id: string): boolean {
    return this.#read.chosen.has(id);
  }

  /** Adds a shortcut to a command, or puts it in the place of another one. */
  put(id: string, shortcut: string, instead?: string): void {
    const written = normalise(shortcut);
    if (shortcutProblem(written) !== '') return;
    const keys = this.#commands.keysOf(id).map(normalise);
    const at = instead === undefined ? -1 : keys.indexOf(normalise(instead));
    const next = at < 0 ? [...keys, written] : keys.with(at, written);
    this.#write(id, [...new Set(next)]);
  }

  remove(id: string, shortcut: string): void {
    const gone = normalise(shortcut);
    this.#write(id, this.#commands.keysOf(id).map(normalise).filter((key) => key !== gone));
  }

  reset(id: string): void {
    this.#store(([one]) => one !== id);
  }

  /** Back to the usual ones; what was stored, to undo it. */
  resetAll(): unknown {
    const before = this.#settings.get(KEY) ?? null;
    this.#settings.set(KEY, null);
    return before;
  }

  restore(stored: unknown): void {
    this.#settings.set(KEY, stored);
  }

  /** Other commands of the same shortcut. */
  others(id: string, shortcut: string): Command[] {
    return this.#commands.withKey(shortcut).filter((command) => command.id !== id);
  }

  #write(id: string, keys: readonly string[]): void {
    const usual = (this.#commands.get(id)?.keys ?? []).map(normalise);
    const same = usual.length === keys.length && usual.every((key, index) => key === keys[index]);
    this.#store(([one]) => one !== id, same ? [] : [[id, keys]]);
  }

  /** Of what is stored, also what can't be read is kept: another version of the Studio may know it. */
  #store(keep: (entry: [string, unknown]) => boolean, more: [string, readonly string[]][] = []): void {
    const stored = this.#settings.get(KEY);
    const entries = isRecord(stored) ? Object.entries(stored).filter(keep) : [];
    const all = [...entries, ...more];
    this.#settings.set(KEY, all.length === 0 ? null : Object.fromEntries(all));
  }

  #parse(stored: unknown): Read {
    const chosen = new Map<string, readonly string[]>();
    const notes: string[] = [];
    if (stored == null) return { chosen, notes };
    if (!isRecord(stored)) return { chosen, notes: ['Couldn’t load your shortcuts. The defaults are active.'] };
    for (const [id, keys] of Object.entries(stored)) {
      const command = this.#commands.get(id);
      if (!command) notes.push(`Unknown command ${id}.`);
      else if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'string')) notes.push(`Couldn’t load the shortcut for “${command.title}”.`);
      else {
        // Some commands have keys that others can't be given: where the tree has the keyboard, Ctrl+C copies a file.
        const usual = (command.keys ?? []).map(normalise);
        const good = (keys as string[]).filter((key) => usual.includes(normalise(key)) || shortcutProblem(key) === '');
        for (const bad of (keys as string[]).filter((key) => !good.includes(key))) notes.push(`“${command.title}”: ${shortcutProblem(bad)}`);
        // A command without any good one of its stored keys keeps its usual ones; one that was given none has none.
        if (good.length > 0 || keys.length === 0) chosen.set(id, good.map(normalise));
      }
    }
    return { chosen, notes };
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
