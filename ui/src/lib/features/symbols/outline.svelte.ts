import { Debounce } from '$lib/api';
import { afterKey } from '$lib/domain';

export interface Item {
  name: string;
  kind: string;
  line: number;
  endLine: number;
  level: number;
}

export interface Source {
  id: string;
  path: string;
  /** Counts changes of the text. */
  edition: () => number;
}

export interface OutlinePorts {
  read: (source: Source) => Promise<Item[]>;
  /** Moves the focus to the editor if `focus`. */
  go: (source: Source, line: number, focus: boolean) => void;
}

const QUIET_MS = 250;

/** The outline of the active file. Its cursor follows the cursor of the editor. */
export class Outline {
  items = $state.raw<readonly Item[]>([]);
  source = $state.raw<Source | null>(null);
  reading = $state(false);
  filter = $state('');
  /** The item selected by keyboard; null: the item around the cursor of the editor. */
  #chosen = $state<number | null>(null);
  #line = $state(1);
  readonly shown = $derived.by(() => {
    const words = this.filter.trim().toLowerCase();
    return words === '' ? this.items : this.items.filter(({ name }) => name.toLowerCase().includes(words));
  });
  readonly index = $derived(this.#chosen ?? around(this.shown, this.#line));
  readonly #ports: OutlinePorts;
  readonly #typed = new Debounce(QUIET_MS, () => void this.#read());
  #asked = 0;

  constructor(ports: OutlinePorts) {
    this.#ports = ports;
  }

  follow(source: Source | null): void {
    if (source?.id === this.source?.id && source?.path === this.source?.path) return;
    [this.source, this.items, this.#chosen, this.filter] = [source, [], null, ''];
    this.#typed.cancel();
    void this.#read();
  }

  touch(): void {
    this.#typed.touch();
  }

  at(line: number): void {
    [this.#line, this.#chosen] = [line, null];
  }

  open(index: number, focus: boolean): void {
    const item = this.shown[index];
    if (!item || !this.source) return;
    this.#chosen = index;
    this.#ports.go(this.source, item.line, focus);
  }

  openItem({ line }: Item): void {
    if (this.source) this.#ports.go(this.source, line, true);
  }

  key(key: string): boolean {
    if (key === 'Enter') {
      this.open(this.index, true);
      return true;
    }
    const moved = afterKey(key, this.index, this.shown.length);
    if (moved === null) return false;
    this.open(moved, false);
    return true;
  }

  async #read(): Promise<void> {
    const { source } = this;
    const asked = ++this.#asked;
    if (!source) return;
    this.reading = true;
    const items = await this.#ports.read(source).catch(() => []);
    if (asked !== this.#asked) return;
    [this.items, this.reading] = [items, false];
  }
}

/** The innermost item around a line; -1 for none. */
export function around(items: readonly Item[], line: number): number {
  return items.findLastIndex((item) => item.line <= line && item.endLine >= line);
}
