import { asFailure, type Settings } from '$lib/api';
import { ViewRequest } from '$lib/components';
import type { ComparedFile, Failure, RevisionFile } from '$lib/api/generated';

/** How comparisons are shown: one stored setting for all of them. */
export class ComparisonOptions {
  readonly #settings: Settings;
  readonly #stored = $derived.by(() => read(this.#settings.get(KEY)));
  readonly inline = $derived(this.#stored.inline);
  readonly collapse = $derived(this.#stored.collapse);
  readonly ignoreSpaces = $derived(this.#stored.ignoreSpaces);

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  set(change: Partial<ComparisonSettings>): void {
    this.#settings.set(KEY, { ...this.#stored, ...change });
  }
}

export interface ComparisonSettings {
  inline: boolean;
  collapse: boolean;
  ignoreSpaces: boolean;
}

const KEY = 'ui.compare';
const DEFAULTS: ComparisonSettings = { inline: false, collapse: true, ignoreSpaces: false };

function read(value: unknown): ComparisonSettings {
  const stored = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const flag = (name: keyof ComparisonSettings): boolean => (typeof stored[name] === 'boolean' ? stored[name] : DEFAULTS[name]);
  return { inline: flag('inline'), collapse: flag('collapse'), ignoreSpaces: flag('ignoreSpaces') };
}

export interface TwoTexts {
  left: RevisionFile;
  right: RevisionFile;
}

/** An action on the shown file. */
export interface CompareAction {
  label: string;
  title?: string;
  when?: (file: ComparedFile) => boolean;
  run: (path: string) => unknown;
}

export interface CompareSource {
  /** The files that differ. For a single compared file it is that file, also if it doesn't differ. */
  files: () => Promise<readonly ComparedFile[]>;
  texts: (path: string) => Promise<TwoTexts>;
}

export interface CompareRequest extends CompareSource {
  /** Equal for comparisons of the same versions, which share a tab. */
  id: string;
  title: string;
  /** The title in two parts, of which a tab never truncates the note: "Timeline Builder", "1 → 2". */
  named?: { name: string; note: string };
  leftLabel: string;
  rightLabel: string;
  /** The file to show first. */
  path?: string;
  actions?: readonly CompareAction[];
  /** Keys of skills whose changes reload it. */
  follows?: readonly string[];
}

export interface ShownFile {
  file: ComparedFile;
  texts: TwoTexts;
}

/** The fixed properties of a comparison. */
export interface ComparisonInfo {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly note: string;
  readonly leftLabel: string;
  readonly rightLabel: string;
  readonly actions: readonly CompareAction[];
  readonly follows: readonly string[];
}

/** Two versions of a skill or file: the files that differ, and the texts of one of them. */
export class Comparison {
  readonly info: ComparisonInfo;
  readonly options: ComparisonOptions;
  /** Null until loaded. */
  files = $state.raw<readonly ComparedFile[] | null>(null);
  shown = $state.raw<ShownFile | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Goes to the next or previous change. */
  readonly stepRequest = new ViewRequest<1 | -1>();
  /** The change to show first: the last one after stepping back from the next file. */
  begin: 'first' | 'last' = 'first';
  readonly #source: CompareSource;
  #path: string | null;
  #asked = 0;

  constructor(options: ComparisonOptions, { id, title, named, leftLabel, rightLabel, files, texts, path, actions = [], follows = [] }: CompareRequest) {
    this.info = { id, title, name: named?.name ?? title, note: named?.note ?? '', leftLabel, rightLabel, actions, follows };
    this.options = options;
    this.#source = { files, texts };
    this.#path = path ?? null;
  }

  get index(): number {
    return this.files?.findIndex((file) => file.path === this.shown?.file.path) ?? -1;
  }

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

  /** Shows the next or previous file, wrapping around; false if there is only one. */
  stepFile(by: 1 | -1): boolean {
    const files = this.files ?? [];
    if (files.length < 2) return false;
    const next = files[(this.index + by + files.length) % files.length];
    if (next) void this.open(next.path, by > 0 ? 'first' : 'last');
    return true;
  }
}
