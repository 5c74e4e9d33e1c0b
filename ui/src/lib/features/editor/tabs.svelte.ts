import { type Catalog, type Client, Debounce, type Settings } from '$lib/api';
import type { EditResult, Scope } from '$lib/wire';
import { Document, type DocumentKey, type Goal } from './document.svelte';

/** Two stored texts of a file side by side. */
export interface Comparison {
  id: string;
  title: string;
  path: string;
  left: { label: string; text: string };
  right: { label: string; text: string };
}

export interface FileTab {
  kind: 'file';
  id: string;
  document: Document;
  /** Opened by a look: the next look takes its place. */
  preview: boolean;
}

export interface ComparisonTab {
  kind: 'comparison';
  id: string;
  comparison: Comparison;
  preview: boolean;
}

export type Tab = FileTab | ComparisonTab;

interface StoredTab {
  scope: Scope;
  skill: string;
  path: string;
}

interface StoredTabs {
  tabs: StoredTab[];
  active: number;
}

const SETTING = 'ui.tabs';

const keyOf = (tab: Tab): string =>
  tab.kind === 'file' ? `${tab.document.scope}:${tab.document.skillId}:${tab.document.path}` : tab.comparison.id;

/** The open tabs. They are remembered for each workspace and come back after a restart, drafts included. */
export class Tabs {
  list = $state.raw<Tab[]>([]);
  activeId = $state<string | null>(null);
  readonly active = $derived(this.list.find((tab) => tab.id === this.activeId) ?? null);
  readonly document = $derived(this.active?.kind === 'file' ? this.active.document : null);
  readonly documents = $derived(this.list.flatMap((tab) => (tab.kind === 'file' ? [tab.document] : [])));
  /** Goes up when the keyboard should go to the editor. */
  focusAsked = $state(0);

  readonly #client: Client;
  readonly #catalog: Catalog;
  readonly #settings: Settings;
  readonly #closed: DocumentKey[] = [];
  readonly #remember = new Debounce(300, () => this.#store());
  #restoring = false;

  constructor(client: Client, catalog: Catalog, settings: Settings) {
    this.#client = client;
    this.#catalog = catalog;
    this.#settings = settings;
    catalog.onDetail((key, detail) => {
      for (const document of this.documents) {
        if (document.skillId !== key.id || document.scope !== key.scope) continue;
        if (detail) void document.sync(detail);
        else if (document.status === 'ready') this.#goneFrom(document);
      }
    });
  }

  /** Opens a file, or shows its tab. A preview tab is replaced by the next preview. */
  open(key: DocumentKey, options: { preview?: boolean; focus?: boolean; at?: Goal } = {}): Document {
    const { preview = false, focus = true, at } = options;
    let tab = this.list.find((one): one is FileTab => one.kind === 'file' && one.document.is(key));
    if (!tab) {
      const document = new Document(this.#client, key, (result) => this.#stored(result));
      tab = { kind: 'file', id: document.id, document, preview };
      this.#insert(tab);
      void document.load();
      void this.#catalog.load({ scope: key.scope, id: key.skillId });
    } else if (!preview && tab.preview) {
      this.pin(tab.id);
    }
    this.activeId = tab.id;
    if (at) tab.document.goTo(focus ? at : { ...at, quiet: true });
    if (focus) this.focusAsked += 1;
    this.#remember.touch();
    return tab.document;
  }

  openComparison(comparison: Comparison): void {
    const known = this.list.find((tab) => tab.kind === 'comparison' && tab.comparison.id === comparison.id);
    const id = known?.id ?? `comparison-${comparison.id}`;
    const tab: ComparisonTab = { kind: 'comparison', id, comparison, preview: true };
    if (known) this.list = this.list.map((one) => (one.id === id ? tab : one));
    else this.#insert(tab);
    this.activeId = id;
  }

  pin(id: string): void {
    this.list = this.list.map((tab) => (tab.id === id && tab.preview ? { ...tab, preview: false } : tab));
    this.#remember.touch();
  }

  activate(id: string, focus = true): void {
    this.activeId = id;
    if (focus) this.focusAsked += 1;
    this.#remember.touch();
  }

  step(by: 1 | -1): void {
    if (this.list.length === 0) return;
    const at = this.list.findIndex((tab) => tab.id === this.activeId);
    const next = this.list[(at + by + this.list.length) % this.list.length];
    if (next) this.activate(next.id);
  }

  /** Closes a tab. Unsaved text stays as a draft; the document is returned so that this can be said. */
  close(id: string): Document | null {
    const at = this.list.findIndex((tab) => tab.id === id);
    const tab = this.list[at];
    if (!tab) return null;
    this.list = this.list.filter((one) => one.id !== id);
    if (this.activeId === id) {
      const next = this.list[at] ?? this.list[at - 1];
      this.activeId = next?.id ?? null;
      if (next) this.focusAsked += 1;
    }
    this.#remember.touch();
    if (tab.kind !== 'file') return null;
    this.#closed.push(tab.document.key);
    void tab.document.close();
    return tab.document;
  }

  get canReopen(): boolean {
    return this.#closed.length > 0;
  }

  reopen(): void {
    const key = this.#closed.pop();
    if (key) this.open(key);
  }

  /** A file was moved by this window: its tab follows. */
  moved(skill: { scope: Scope; id: string }, from: string, to: string): void {
    this.documentOf({ scope: skill.scope, skillId: skill.id, path: from })?.moveTo(to).catch(() => undefined);
    this.#remember.touch();
  }

  /** Closes what belongs to a deleted file or skill. */
  closeOf(skill: { scope: Scope; id: string }, path?: string): void {
    for (const tab of this.list) {
      if (tab.kind !== 'file') continue;
      const { document } = tab;
      if (document.skillId === skill.id && document.scope === skill.scope && (path ?? document.path) === document.path) {
        this.close(tab.id);
      }
    }
  }

  documentOf(key: DocumentKey): Document | null {
    return this.documents.find((document) => document.is(key)) ?? null;
  }

  /** Closes all and opens those of the given workspace again. */
  async restore(): Promise<void> {
    this.#restoring = true;
    const before = this.documents;
    this.list = [];
    this.activeId = null;
    await Promise.all(before.map((document) => document.close()));
    const stored = this.#read();
    for (const { scope, skill, path } of stored.tabs) {
      if (this.#catalog.summary({ scope, id: skill })) this.open({ scope, skillId: skill, path }, { focus: false });
    }
    const wanted = stored.tabs[stored.active];
    const active = wanted && this.list.find((tab) => keyOf(tab) === `${wanted.scope}:${wanted.skill}:${wanted.path}`);
    this.activeId = active?.id ?? this.list.at(-1)?.id ?? null;
    this.#restoring = false;
  }

  /** Sends every unsaved text and the list of tabs: the window is about to close, or to open another folder. */
  async keepAll(): Promise<void> {
    this.#remember.flush();
    await Promise.all(this.documents.map((document) => document.keep()));
  }

  #insert(tab: Tab): void {
    // A preview that was edited meanwhile stays.
    const replaced = this.list.find(
      (one) => one.preview && tab.preview && !(one.kind === 'file' && (one.document.dirty || one.document.external)),
    );
    if (replaced) {
      if (replaced.kind === 'file') void replaced.document.close();
      this.list = this.list.map((one) => (one.id === replaced.id ? tab : one));
      return;
    }
    const at = this.list.findIndex((one) => one.id === this.activeId);
    this.list = this.list.toSpliced(at < 0 ? this.list.length : at + 1, 0, tab);
  }

  #stored({ skill }: EditResult): void {
    this.#catalog.put(skill);
  }

  #goneFrom(document: Document): void {
    document.gone();
    if (document.dirty) return;
    const tab = this.list.find((one) => one.kind === 'file' && one.document === document);
    if (tab) this.close(tab.id);
  }

  get #place(): string {
    return this.#client.workspace ?? '';
  }

  #read(): StoredTabs {
    const all = this.#settings.get(SETTING);
    const mine = isRecord(all) ? all[this.#place] : null;
    if (!isRecord(mine) || !Array.isArray(mine['tabs'])) return { tabs: [], active: -1 };
    const tabs = mine['tabs'].filter(
      (tab): tab is StoredTab =>
        isRecord(tab) &&
        (tab['scope'] === 'account' || tab['scope'] === 'workspace') &&
        typeof tab['skill'] === 'string' &&
        typeof tab['path'] === 'string',
    );
    return { tabs, active: typeof mine['active'] === 'number' ? mine['active'] : -1 };
  }

  #store(): void {
    if (this.#restoring) return;
    const files = this.list.filter((tab): tab is FileTab => tab.kind === 'file');
    const all = this.#settings.get(SETTING);
    const stored: StoredTabs = {
      tabs: files.map(({ document }) => ({ scope: document.scope, skill: document.skillId, path: document.path })),
      active: files.findIndex((tab) => tab.id === this.activeId),
    };
    this.#settings.set(SETTING, { ...(isRecord(all) ? all : {}), [this.#place]: stored });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

