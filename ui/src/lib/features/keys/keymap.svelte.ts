import { isRecord } from '$lib/domain';
import type { Settings } from '$lib/api';
import { type Command, type Commands, normalize, shortcutProblem } from '$lib/commands';

const KEY = 'ui.keys';

/** IDs of commands in earlier versions, which stored shortcuts may still have. */
const FORMER_IDS: Readonly<Record<string, string>> = {
  'compare.fold': 'compare.collapseUnchanged',
  'compare.spaces': 'compare.ignoreWhitespace',
  'dspy.again': 'dspy.reoptimize',
  'dspy.face': 'editor.toggleForm',
  'dspy.stopAgain': 'dspy.stopReoptimizing',
  'dspy.toggleForm': 'editor.toggleForm',
  'library.lines': 'library.list',
  'page.loose': 'page.linkProblems',
};

const entriesOf = (stored: Record<string, unknown>): [string, unknown][] => Object.entries(stored).map(([id, keys]) => [FORMER_IDS[id] ?? id, keys]);

interface Read {
  chosen: ReadonlyMap<string, readonly string[]>;
  /** Why stored shortcuts were ignored. */
  notes: string[];
}

/** Shortcuts that differ from the defaults. */
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

  /** Adds a shortcut to a command, or replaces another one. */
  put(id: string, shortcut: string, instead?: string): void {
    const written = normalize(shortcut);
    if (shortcutProblem(written) !== '') return;
    const keys = this.#commands.keysOf(id).map(normalize);
    const at = instead === undefined ? -1 : keys.indexOf(normalize(instead));
    const next = at < 0 ? [...keys, written] : keys.with(at, written);
    this.#write(id, [...new Set(next)]);
  }

  remove(id: string, shortcut: string): void {
    const removed = normalize(shortcut);
    this.#write(id, this.#commands.keysOf(id).map(normalize).filter((key) => key !== removed));
  }

  reset(id: string): void {
    this.#store(([one]) => one !== id);
  }

  /** Resets to the defaults and returns what was stored, for an undo. */
  resetAll(): unknown {
    const before = this.#settings.get(KEY) ?? null;
    this.#settings.set(KEY, null);
    return before;
  }

  restore(stored: unknown): void {
    this.#settings.set(KEY, stored);
  }

  /** Other commands with the same shortcut. */
  others(id: string, shortcut: string): Command[] {
    return this.#commands.withKey(shortcut).filter((command) => command.id !== id);
  }

  /** Other commands whose shortcut begins with this one, or is its beginning: the shorter one hides the longer. */
  overlapping(id: string, shortcut: string): Command[] {
    const written = normalize(shortcut);
    const overlaps = (key: string): boolean => key.startsWith(`${written} `) || written.startsWith(`${key} `);
    return this.#commands.list.filter((command) => command.id !== id && this.#commands.keysOf(command.id).some((key) => overlaps(normalize(key))));
  }

  #write(id: string, keys: readonly string[]): void {
    const defaultValue = (this.#commands.get(id)?.keys ?? []).map(normalize);
    const same = defaultValue.length === keys.length && defaultValue.every((key, index) => key === keys[index]);
    this.#store(([one]) => one !== id, same ? [] : [[id, keys]]);
  }

  /** Stored entries that can't be read are preserved: another version of the app may know them. */
  #store(keep: (entry: [string, unknown]) => boolean, more: [string, readonly string[]][] = []): void {
    const stored = this.#settings.get(KEY);
    const entries = isRecord(stored) ? entriesOf(stored).filter(keep) : [];
    const all = [...entries, ...more];
    this.#settings.set(KEY, all.length === 0 ? null : Object.fromEntries(all));
  }

  #parse(stored: unknown): Read {
    const chosen = new Map<string, readonly string[]>();
    const notes: string[] = [];
    if (stored == null) return { chosen, notes };
    if (!isRecord(stored)) return { chosen, notes: ['Couldn’t load your shortcuts. The defaults are active.'] };
    for (const [id, keys] of entriesOf(stored)) {
      const command = this.#commands.get(id);
      if (!command) notes.push(`Unknown command ${id}.`);
      else if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'string')) notes.push(`Couldn’t load the shortcut for “${command.title}”.`);
      else {
        // Some default keys are reserved: with the focus in the tree, Ctrl+C copies a file.
        const defaultValue = (command.keys ?? []).map(normalize);
        const good = (keys as string[]).filter((key) => defaultValue.includes(normalize(key)) || shortcutProblem(key) === '');
        for (const bad of (keys as string[]).filter((key) => !good.includes(key))) notes.push(`“${command.title}”: ${shortcutProblem(bad)}`);
        // A command whose stored keys are all invalid keeps its defaults; with an empty list it has none.
        if (good.length > 0 || keys.length === 0) chosen.set(id, good.map(normalize));
      }
    }
    return { chosen, notes };
  }
}
