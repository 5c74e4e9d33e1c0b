import { asFailure, type Settings } from '$lib/api';
import { ViewRequest } from '$lib/components';
import type { ComparedFile, Failure, RevisionFile } from '$lib/api/generated';

/** How comparisons are shown: remembered, the same for all. */
export class CompareLook {
  readonly #settings: Settings;
  readonly #stored = $derived.by(() => read(this.#settings.get(KEY)));
  readonly inline = $derived(this.#stored.inline);
  readonly collapse = $derived(this.#stored.collapse);
  readonly ignoreSpaces = $derived(this.#stored.ignoreSpaces);

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  set(change: Partial<Look>): void {
    this.#settings.set(KEY, { ...this.#stored, ...change });
  }
}

export interface Look {
  inline: boolean;
  collapse: boolean;
  ignoreSpaces: boolean;
}

const KEY = 'ui.compare';
const USUAL: Look = { inline: false, collapse: true, ignoreSpaces: false };

function read(value: unknown): Look {
  const stored = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const flag = (name: keyof Look): boolean => (typeof stored[name] === 'boolean' ? stored[name] : USUAL[name]);
  return { inline: flag('inline'), collapse: flag('collapse'), ignoreSpaces: flag('ignoreSpaces') };
}

/** The two versions of a file. */
export interface TwoTexts {
  left: RevisionFile;
  right: RevisionFile;
}

/** What can be done with the file that is shown. */
export interface CompareAction {
  label: string;
  title?: string;
  /** Whether it is there for this file. */
  when?: (file: ComparedFile) => boolean;
  run: (path: string) => unknown;
}

export interface CompareSource {
  /** The files that differ; one that is always shown when it is a single file that is compared. */
  files: () => Promise<readonly ComparedFile[]>;
  texts: (path: string) => Promise<TwoTexts>;
}

export interface CompareWanted extends CompareSource {
  /** Two comparisons of the same things have the same: there is one tab of it. */
  id: string;
  title: string;
  /** The title in two, where a tab must not cut the part that tells comparisons apart: "Timeline Builder", "1 → 2". */
  named?: { name: string; note: string };
  leftLabel: string;
  rightLabel: string;
  /** The file that is shown first. */
  path?: string;
  actions?: readonly CompareAction[];
  /** Skills, by key, after whose change it is read again. */
  follows?: readonly string[];
}

/** What is shown of the open file. */
export interface ShownFile {
  file: ComparedFile;
  texts: TwoTexts;
}

/** Two versions of a skill or of a file, side by side: its files, and the texts of one of them. */
export class Comparison {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly note: string;
  readonly leftLabel: string;
  readonly rightLabel: string;
  readonly actions: readonly CompareAction[];
  readonly follows: readonly string[];
  readonly look: CompareLook;
  /** Null until they are read. */
  files = $state.raw<readonly ComparedFile[] | null>(null);
  shown = $state.raw<ShownFile | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Goes to the next change, or to the one before. */
  readonly stepRequest = new ViewRequest<1 | -1>();
  /** Where the view begins: coming from the file after, with the last change. */
  begin: 'first' | 'last' = 'first';
  readonly #source: CompareSource;
  #path: string | null;
  #asked = 0;

  constructor(look: CompareLook, { id, title, named, leftLabel, rightLabel, files, texts, path, actions = [], follows = [] }: CompareWanted) {
    [this.id, this.title, this.leftLabel, this.rightLabel, this.actions, this.follows] = [id, title, leftLabel, rightLabel, actions, follows];
    [this.name, this.note] = [named?.name ?? title, named?.note ?? ''];
    this.look = look;
    this.#source = { files, texts };
    this.#path = path ?? null;
  }

  get index(): number {
    return this.files?.findIndex((file) => file.path === this.shown?.file.path) ?? -1;
  }

  /** Reads it, or reads it again. */
  async load(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const files = await this.#source.files();
      if (asked !== this.#asked) return;
      this.files = files;
      this.failure = null;
      const file = files.find((one) => one.path === this.#path) ?? files[0];
      if (file) await this.open(file.path);
      else this.shown = null;
    } catch (cause) {
      if (asked === this.#asked) this.failure = asFailure(cause);
    }
  }

  async open(path: string, begin: 'first' | 'last' = 'first'): Promise<void> {
    const file = this.files?.find((one) => one.path === path);
    if (!file) return;
    this.#path = path;
    const asked = ++this.#asked;
    try {
      const texts = await this.#source.texts(path);
      if (asked !== this.#asked) return;
      this.begin = begin;
      this.shown = { file, texts };
      this.failure = null;
    } catch (cause) {
      if (asked === this.#asked) this.failure = asFailure(cause);
    }
  }

  step(by: 1 | -1): void {
    this.stepRequest.send(by);
  }

  /** To the file after or before, around the ends; false when it is the only one. */
  stepFile(by: 1 | -1): boolean {
    const files = this.files ?? [];
    if (files.length < 2) return false;
    const next = files[(this.index + by + files.length) % files.length];
    if (next) void this.open(next.path, by > 0 ? 'first' : 'last');
    return true;
  }
}
