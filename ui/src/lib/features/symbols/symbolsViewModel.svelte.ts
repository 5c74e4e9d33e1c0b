import type { SkillKey } from '$lib/api';
import { plural } from '$lib/domain';
import { type Document, formattingOf, formatText, loadedText, symbolsOf } from '$lib/features/editor';
import { Outline, References, Renaming, type TextsNow, Vocabulary } from '$lib/features/symbols';
import type { Symbols } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { savedText } from './renaming.svelte';

type Needs = Pick<
  Services,
  | 'actions' | 'catalog' | 'client' | 'documents' | 'editor' | 'files' | 'layout' | 'navigation' | 'notifications' | 'pages'
  | 'preview' | 'runView' | 'tabs' | 'toasts'
>;

interface Position {
  line: number;
  column: number;
}

/** Connects symbols with tabs, editors and the panel. */
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
        services.files.open(key, path, { at, preview: how === 'preview', focus: how === 'open' });
      },
    });
    this.renaming = new Renaming(services.client, {
      save: (key) => this.#save(key),
      renamed: (done, from, to, back) => this.#renamed(done, from, to, back),
      failed: (what, failure) => services.notifications.report(what, failure),
      show: (file) => this.#showTextMatches(file),
    });
    this.outline = new Outline({
      read: (source) => {
        const document = services.tabs.documents.list.find(({ id }) => id === source.id);
        return document ? symbolsOf(document.file.path, document.content.text()) : Promise.resolve([]);
      },
      go: (source, line, focus) => {
        const document = services.tabs.documents.list.find(({ id }) => id === source.id);
        if (document) services.tabs.open(document.file.key, { focus, at: { line, column: 1 } });
      },
    });
  }

  /** The texts of a document’s skill, including unsaved changes. */
  textsOf(document: Document): TextsNow {
    const key: SkillKey = document.file.skill;
    const typed = this.#services.tabs.documents.unsaved(key).filter((one) => one.file.text !== null);
    return {
      key,
      revision: document.file.revision,
      edits: () => typed.map((one) => ({ path: one.file.path, text: one.content.text() })),
      stamp: typed.map(({ id, content }) => `${id}:${content.edition}`).join(' '),
    };
  }

  /** Goes to the definition of the symbol at a position; on the definition itself, lists the references. */
  async follow(document = this.#front, position = this.#services.editor.cursor, quiet = false): Promise<void> {
    const info = await this.#at(document, position, quiet);
    if (!info || !document) return;
    const other = info.targets.find((target) => !isHere(target, document, info));
    if (other) this.#go(other);
    else if (info.targets.length > 0) await this.#list(document, info);
    else this.#services.toasts.show(`No definition found for ${info.title}`, { tone: 'warn', hint: info.about });
  }

  async findReferences(): Promise<void> {
    const document = this.#front;
    const info = await this.#at(document, this.#services.editor.cursor);
    if (info && document) await this.#list(document, info);
  }

  async rename(): Promise<void> {
    const document = this.#front;
    const { editor, toasts, actions, documents } = this.#services;
    const skill = document ? documents.skillOf(document) : undefined;
    const info = await this.#at(document, editor.cursor);
    if (!info || !document || !skill) return;
    if (!info.renames) {
      toasts.show('Only variables and artifact names can be renamed here.', { hint: info.symbol.kind === 'file' ? 'Rename the file in the tree. References to it are updated.' : null });
    } else if (skill.locked) {
      toasts.show(`${skill.name} is locked`, { hint: 'Duplicate it to make changes.', actions: [{ label: 'Duplicate to edit', run: () => actions.duplicate(skill, document.file.path) }] });
    } else {
      const anchor = editor.front?.selection.cursorBox() ?? { left: 200, top: 200, bottom: 220 };
      this.renaming.start(document.file.skill, info, anchor);
    }
  }

  async format(selected: boolean): Promise<void> {
    const document = this.#front;
    const { editor, toasts } = this.#services;
    if (!document || !editor.front) return;
    const lines = selected ? editor.front.selection.lines : null;
    try {
      const changed = await formatText(document, editor.front, lines);
      if (!changed) toasts.show(`${document.file.path} is already formatted.`, { hint: await formattingOf(document.file.path), lasts: 4_000 });
    } catch (cause) {
      const line = typeof cause === 'object' && cause !== null && 'line' in cause && typeof cause.line === 'number' ? cause.line : null;
      toasts.show(`Couldn’t format ${document.file.path}`, {
        tone: 'warn',
        hint: `${cause instanceof Error ? cause.message : String(cause)}${line === null ? '' : `on line ${line}`}.`,
        actions: line === null ? [] : [{ label: `Go to line ${line}`, run: () => (document.revealTarget = { line, column: 1 }) }],
      });
    }
  }

  /** Formats without a message, since syntax errors are already marked in the text. */
  async formatQuietly(document: Document): Promise<void> {
    await formatText(document, this.#services.editor.front, null).catch(() => undefined);
  }

  /** Reads the outline of the active file again. */
  readOutline(): void {
    const document = this.#front;
    this.outline.follow(document ? { id: document.id, path: document.file.path, edition: () => document.content.edition } : null);
    this.outline.touch();
  }

  reset(): void {
    this.vocabulary.reset();
    this.renaming.close();
    this.outline.follow(null);
    this.references.clear();
  }

  get #front(): Document | null {
    return loadedText(this.#services.tabs.document);
  }

  async #at(document: Document | null, position: Position, quiet = false): Promise<Symbols.SymbolInformation | null> {
    if (!document) return null;
    const info = await this.vocabulary.at(this.textsOf(document), document.file.path, position);
    if (!info && !quiet) this.#services.toasts.show('No definition found.', { hint: 'Place the cursor on a variable, artifact name, skill name or link.', lasts: 4_000 });
    return info;
  }

  async #list(document: Document, info: Symbols.SymbolInformation): Promise<void> {
    this.#services.layout.panel.show('references');
    await this.references.find(this.textsOf(document), info);
    this.references.list.focusRequest.send();
  }

  #go(target: Symbols.Target): void {
    if (target.in === 'page') void this.#services.pages.open(target.slug);
    else this.#services.files.open({ scope: target.scope, id: target.skill }, target.path, { at: { line: target.line, column: target.column } });
  }

  /** Saves documents and inputs, since a rename changes the stored files and inputs. */
  async #save(key: SkillKey): Promise<boolean> {
    const { tabs, documents, preview, runView } = this.#services;
    await Promise.all([preview.form.flush(), runView.planForm.form.flush()]);
    for (const document of tabs.documents.unsaved(key)) {
      await documents.save(document);
      if (document.content.dirty) return false;
    }
    return true;
  }

  #renamed(done: Symbols.RenameResult, from: string, to: string, back: () => Promise<void>): void {
    const { catalog, toasts } = this.#services;
    catalog.details.put(done.result.skill);
    this.#services.navigation.focusEditor();
    const textMatches = done.mentions.reduce((sum, { locations }) => sum + locations.length, 0);
    toasts.show(`Renamed ${from} to ${to} in ${plural(done.uses, 'place')}${savedText(done)}`, {
      hint: textMatches === 0 ? null : `${plural(textMatches, 'text match', 'text matches')} of ${from} not renamed.`,
      actions: [
        { label: 'Undo', run: back },
        ...(textMatches === 0 ? [] : [{ label: 'Show', run: () => this.#showMentions(from, done.mentions) }]),
      ],
    });
  }

  #showMentions(title: string, mentions: Symbols.FileLocations[]): void {
    this.#services.layout.panel.show('references');
    this.references.show(title, { uses: [], mentions });
    this.references.list.focusRequest.send();
  }

  #showTextMatches(file: Symbols.FileLocations): void {
    const location = file.locations[0];
    if (location) this.references.list.open({ file, location }, 'open');
  }
}

function isHere(target: Symbols.Target, document: Document, { location }: Symbols.SymbolInformation): boolean {
  return (
    target.in === 'skill' &&
    target.skill === document.file.skill.id &&
    target.scope === document.file.skill.scope &&
    target.path === document.file.path &&
    target.line === location.line &&
    // The cursor may be within the mark of a heading, and the target at its start.
    target.column <= location.end_column
  );
}
