import type { SkillKey } from '$lib/api';
import { plural } from '$lib/domain';
import { type Document, formattingOf, formatText, symbolsOf } from '$lib/features/editor';
import { Outline, References, Renaming, type TextsNow, Vocabulary } from '$lib/features/symbols';
import type { FilePlaces, Named, Renamed, Target } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<
  Services,
  | 'actions' | 'catalog' | 'client' | 'editor' | 'files' | 'layout' | 'navigation' | 'notifications' | 'pages' | 'tabs' | 'toasts'
>;

interface Position {
  line: number;
  column: number;
}

/** What texts name, connected with the window. */
export class SymbolsViewModel {
  readonly vocabulary: Vocabulary;
  readonly references: References;
  readonly renaming: Renaming;
  readonly outline: Outline;
  readonly #services: Needs;

  constructor(services: Needs) {
    this.#services = services;
    this.vocabulary = new Vocabulary(services.client);
    this.references = new References(services.client, {
      open: (key, path, { line, column, end_line, end_column }, how) => {
        const at = { line, column, to: { line: end_line, column: end_column } };
        services.files.open(key, path, { at, preview: how === 'glance', focus: how === 'open' });
      },
    });
    this.renaming = new Renaming(services.client, {
      save: (key) => this.#save(key),
      renamed: (done, from, to, back) => this.#renamed(done, from, to, back),
      failed: (what, failure) => services.notifications.report(what, failure),
      show: (file) => this.#showLoose(file),
    });
    this.outline = new Outline({
      read: (source) => {
        const document = services.tabs.documents.find(({ id }) => id === source.id);
        return document ? symbolsOf(document) : Promise.resolve([]);
      },
      go: (source, line, focus) => {
        const document = services.tabs.documents.find(({ id }) => id === source.id);
        if (document) services.tabs.open(document.key, { focus, at: { line, column: 1 } });
      },
    });
  }

  /** The texts of a document's skill as they are now. */
  textsOf(document: Document): TextsNow {
    const key: SkillKey = { scope: document.scope, id: document.skillId };
    const typed = this.#services.tabs.unsaved(key).filter((one) => one.saved !== null);
    return {
      key,
      revision: document.revision,
      edits: () => typed.map((one) => ({ path: one.path, text: one.text() })),
      stamp: typed.map(({ id, edition }) => `${id}:${edition}`).join(' '),
    };
  }

  /** Goes to where it is said what a place names. On the word itself it is its uses that one wants to see. */
  async follow(document = this.#front, position = this.#services.editor.cursor, quiet = false): Promise<void> {
    const named = await this.#at(document, position, quiet);
    if (!named || !document) return;
    const other = named.targets.find((target) => !isHere(target, document, named));
    if (other) this.#go(other);
    else if (named.targets.length > 0) await this.#list(document, named);
    else this.#services.toasts.show(`No definition found for ${named.title}`, { tone: 'warn', hint: named.about });
  }

  async findReferences(): Promise<void> {
    const document = this.#front;
    const named = await this.#at(document, this.#services.editor.cursor);
    if (named && document) await this.#list(document, named);
  }

  async rename(): Promise<void> {
    const document = this.#front;
    const { editor, toasts, actions, files } = this.#services;
    const skill = document ? files.skillOf(document) : undefined;
    const named = await this.#at(document, editor.cursor);
    if (!named || !document || !skill) return;
    if (!named.renames) {
      toasts.show('Only variables and artifact names can be renamed here.', { hint: named.symbol.kind === 'file' ? 'Rename the file in the tree. References to it are updated.' : null });
    } else if (skill.locked) {
      toasts.show(`${skill.name} is locked`, { hint: 'Duplicate it to make changes.', actions: [{ label: 'Duplicate to edit', run: () => actions.duplicate(skill, document.path) }] });
    } else {
      const anchor = editor.front?.cursorBox() ?? { left: 200, top: 200, bottom: 220 };
      this.renaming.start({ scope: document.scope, id: document.skillId }, named, anchor);
    }
  }

  async format(selected: boolean): Promise<void> {
    const document = this.#front;
    const { editor, toasts } = this.#services;
    if (!document || !editor.front) return;
    const lines = selected ? editor.front.selectedLines() : null;
    try {
      const changed = await formatText(document, editor.front, lines);
      if (!changed) toasts.show(`${document.path} is already formatted.`, { hint: await formattingOf(document.path), lasts: 4_000 });
    } catch (cause) {
      const line = typeof cause === 'object' && cause !== null && 'line' in cause && typeof cause.line === 'number' ? cause.line : null;
      toasts.show(`Couldn’t format ${document.path}`, {
        tone: 'warn',
        hint: `${cause instanceof Error ? cause.message : String(cause)}${line === null ? '' : `on line ${line}`}.`,
        actions: line === null ? [] : [{ label: `Go to line ${line}`, run: () => document.goTo({ line, column: 1 }) }],
      });
    }
  }

  /** Formats without a word: what can't be read is marked in the text already. */
  async formatQuietly(document: Document): Promise<void> {
    await formatText(document, this.#services.editor.front, null).catch(() => undefined);
  }

  /** Reads the outline of the file in front anew. */
  readOutline(): void {
    const document = this.#front;
    this.outline.follow(document ? { id: document.id, path: document.path, edition: () => document.edition } : null);
    this.outline.touch();
  }

  reset(): void {
    this.vocabulary.reset();
    this.renaming.close();
    this.outline.follow(null);
    this.references.clear();
  }

  get #front(): Document | null {
    const { document } = this.#services.tabs;
    return document?.status === 'ready' && document.saved !== null ? document : null;
  }

  async #at(document: Document | null, position: Position, quiet = false): Promise<Named | null> {
    if (!document) return null;
    const named = await this.vocabulary.at(this.textsOf(document), document.path, position);
    if (!named && !quiet) this.#services.toasts.show('No definition found.', { hint: 'Place the cursor on a variable, artifact name, skill name or link.', lasts: 4_000 });
    return named;
  }

  async #list(document: Document, named: Named): Promise<void> {
    this.#services.layout.set({ showPanel: true, panelTab: 'references' });
    await this.references.find(this.textsOf(document), named);
    this.references.focus();
  }

  #go(target: Target): void {
    if (target.in === 'page') void this.#services.pages.open(target.slug);
    else this.#services.files.open({ scope: target.scope, id: target.skill }, target.path, { at: { line: target.line, column: target.column } });
  }

  async #save(key: SkillKey): Promise<boolean> {
    const { tabs, files } = this.#services;
    for (const document of tabs.unsaved(key)) {
      await files.save(document);
      if (document.dirty) return false;
    }
    return true;
  }

  #renamed(done: Renamed, from: string, to: string, back: () => Promise<void>): void {
    const { catalog, toasts } = this.#services;
    catalog.put(done.result.skill);
    this.#services.navigation.focusEditor();
    const loose = done.mentions.reduce((sum, { places }) => sum + places.length, 0);
    const inputs = done.inputs === 0 ? '' : ` and ${plural(done.inputs, 'saved input')}`;
    toasts.show(`Renamed ${from} to ${to} in ${plural(done.uses, 'place')}${inputs}`, {
      hint: loose === 0 ? null : `${plural(loose, 'text match', 'text matches')} of ${from} not renamed.`,
      actions: [
        { label: 'Undo', run: back },
        ...(loose === 0 ? [] : [{ label: 'Show', run: () => this.#showMentions(from, done.mentions) }]),
      ],
    });
  }

  #showMentions(title: string, mentions: FilePlaces[]): void {
    this.#services.layout.set({ showPanel: true, panelTab: 'references' });
    this.references.put(title, { uses: [], mentions });
    this.references.focus();
  }

  #showLoose(file: FilePlaces): void {
    const place = file.places[0];
    if (place) this.references.open({ kind: 'place', id: '', file, loose: true, place }, 'open');
  }
}

function isHere(target: Target, document: Document, { place }: Named): boolean {
  return (
    target.in === 'skill' &&
    target.skill === document.skillId &&
    target.scope === document.scope &&
    target.path === document.path &&
    target.line === place.line &&
    // The cursor may be on a heading's mark and the target at its begin.
    target.column <= place.end_column
  );
}
