import { isolateHistory } from '@codemirror/commands';
import { diagnosticCount, setDiagnostics, type Diagnostic as Mark } from '@codemirror/lint';
import { openSearchPanel } from '@codemirror/search';
import { type ChangeSet, Compartment, EditorSelection, EditorState, type Extension, type StateEffect, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Diagnostic, OfferedFix } from '$lib/api/generated';
import { capital } from '$lib/domain';
import type { Document, Goal, Position } from '../document.svelte';
import { type DocumentHelp, type EditorHelp, helpFor } from '../help';
import { EDITOR_COMMANDS, type EditorCommand } from './editorCommands';
import { editing, reading } from './extensions';
import { languageOf } from './languages';
import { offsetOf, rangeOf, columnAt } from './positions';
import { SharedText, type TextPlace, told } from './sharedText';

/** What one view keeps of a document: cursor, folds and scroll position. */
interface Sheet extends TextPlace {
  document: Document;
  text: SharedText;
  state: EditorState;
  path: string;
  scroll: StateEffect<unknown> | null;
  /** What was changed elsewhere while another document was shown here. */
  behind: ChangeSet | null;
}

/** How every text of a view is shown. */
export interface Presentation {
  readOnly: boolean;
  /** Whether long lines go on in the next one. */
  wrap: boolean;
  /** Columns of a tab. */
  tabSize: number;
}

export interface CodeViewPorts {
  /** The cursor moved. */
  cursor: (position: Position, document: Document) => void;
  /** What the rest of the window knows about texts; null: nothing. */
  help: EditorHelp | null;
  /** Does what a fix says. */
  fix: (document: Document, fix: OfferedFix) => void;
}

/** One CodeMirror view for all tabs of a group: each document keeps its cursor, folds and scroll position. */
export class CodeView {
  readonly view: EditorView;
  readonly #sheets = new Map<string, Sheet>();
  readonly #readOnly = new Compartment();
  readonly #language = new Compartment();
  readonly #wrap = new Compartment();
  readonly #tab = new Compartment();
  readonly #ports: CodeViewPorts;
  readonly #sizes: ResizeObserver;
  #again: ReturnType<typeof setTimeout> | undefined;
  #current: Sheet | null = null;
  #presentation: Presentation = { readOnly: false, wrap: true, tabSize: 4 };

  constructor(parent: HTMLElement, ports: CodeViewPorts) {
    this.#ports = ports;
    this.view = new EditorView({ parent });
    // A change of size while the text is being shown is lost on the view's own look: line numbers would stay beside
    // other lines. The second look comes once that is over.
    this.#sizes = new ResizeObserver(() => {
      clearTimeout(this.#again);
      this.#again = setTimeout(() => this.view.requestMeasure(), 120);
    });
    this.#sizes.observe(this.view.scrollDOM);
  }

  /** Shows a document; one that wasn't here before begins at `from`. */
  show(document: Document, presentation: Presentation, from: Position | null = null): void {
    this.#presentation = presentation;
    if (this.#current?.document === document) {
      const effects = this.#presented(this.view.state);
      if (effects.length > 0) this.view.dispatch({ effects });
      return;
    }
    this.#putAway();
    const sheet = this.#sheets.get(document.id) ?? this.#create(document, from);
    this.#sheets.set(document.id, sheet);
    // The view draws a state once, so whatever changes it comes before.
    const effects = this.#presented(sheet.state);
    if (sheet.behind || effects.length > 0) {
      sheet.state = sheet.state.update({ ...(sheet.behind ? { changes: sheet.behind } : {}), effects, annotations: told.of(true) }).state;
    }
    sheet.behind = null;
    this.#current = sheet;
    this.view.setState(sheet.state);
    if (sheet.scroll) this.view.dispatch({ effects: sheet.scroll });
    this.follow(document);
    this.tellCursor();
  }

  /** Takes over a new path, and a text that was replaced from outside; the cursor stays at what didn't change. */
  follow(document: Document): void {
    const sheet = this.#current;
    if (sheet?.document !== document) return;
    if (sheet.path !== document.path) {
      sheet.path = document.path;
      void this.#loadLanguage(sheet);
    }
    sheet.text.follow();
  }

  tellCursor(): void {
    if (this.#current) this.#ports.cursor(this.#position(), this.#current.document);
  }

  /** Underlines the findings; the fixes that there are for one are offered beside its message. */
  mark(document: Document): void {
    const { doc } = this.view.state;
    const { diagnostics } = document;
    const marks = diagnostics.map((diagnostic): Mark => ({
      ...rangeOf(doc, diagnostic),
      severity: diagnostic.severity,
      message: [diagnostic.message, diagnostic.hint ?? ''].filter((text) => text !== '').map(capital).join('\n'),
      source: diagnostic.rule,
      ...this.#actions(document, diagnostic),
    }));
    if (marks.length === 0 && diagnosticCount(this.view.state) === 0) return;
    marks.sort((a, b) => a.from - b.from);
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  #actions(document: Document, diagnostic: Diagnostic): Pick<Mark, 'actions'> {
    const fixes = document.fixesFor(diagnostic);
    if (this.#presentation.readOnly || fixes.length === 0) return {};
    return { actions: fixes.map((fix) => ({ name: fix.title, apply: () => this.#ports.fix(document, fix) })) };
  }

  goTo({ line, column, to, quiet }: Goal): void {
    const { doc } = this.view.state;
    const at = offsetOf(doc, line, column);
    const range = EditorSelection.range(at, to ? offsetOf(doc, to.line, to.column) : at);
    this.view.dispatch({ selection: range, effects: EditorView.scrollIntoView(range, { y: 'center' }) });
    if (!quiet) this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }

  /** What is shown. */
  get document(): Document | null {
    return this.#current?.document ?? null;
  }

  /** Does to the text, or to what is shown of it, what a command says. */
  run(command: EditorCommand): void {
    this.view.focus();
    EDITOR_COMMANDS[command](this.view);
  }

  /** Where the cursor is on the screen. */
  cursorBox(): { left: number; top: number; bottom: number } {
    const { head } = this.view.state.selection.main;
    const edge = this.view.dom.getBoundingClientRect();
    return this.view.coordsAtPos(head) ?? { left: edge.left, top: edge.top, bottom: edge.top };
  }

  /** Puts the cursor where the pointer is, unless that is in what is selected. */
  pointAt(point: { x: number; y: number }): void {
    const at = this.view.posAtCoords(point);
    if (at === null) return;
    const inside = this.view.state.selection.ranges.some(({ from, to, empty }) => !empty && from <= at && at <= to);
    if (!inside) this.view.dispatch({ selection: EditorSelection.cursor(at) });
    this.view.focus();
  }

  get isReadOnly(): boolean {
    return this.#presentation.readOnly;
  }

  get hasSelection(): boolean {
    return this.view.state.selection.ranges.some(({ empty }) => !empty);
  }

  /** What is selected, or the lines with a cursor where nothing is; cut out of the text if that was asked for. */
  take(cut: boolean): string {
    const { state } = this.view;
    const lines = new Map(state.selection.ranges.map(({ head }) => [state.doc.lineAt(head).from, state.doc.lineAt(head)]));
    const parts = this.hasSelection
      ? state.selection.ranges.filter(({ empty }) => !empty)
      : [...lines.values()].map(({ from, to }) => ({ from, to: Math.min(to + 1, state.doc.length) }));
    const text = parts.map(({ from, to }) => state.sliceDoc(from, to)).join(this.hasSelection ? state.lineBreak : '');
    if (cut && !this.#presentation.readOnly) this.view.dispatch({ changes: parts.map(({ from, to }) => ({ from, to })), userEvent: 'delete.cut', scrollIntoView: true });
    return text;
  }

  /** Puts text in place of what is selected, as pasting does. */
  insert(text: string): void {
    if (this.#presentation.readOnly) return;
    this.view.dispatch(this.view.state.replaceSelection(this.view.state.toText(text)), { userEvent: 'input.paste', scrollIntoView: true });
    this.view.focus();
  }

  /** The lines that are selected, or the one with the cursor, from 1. */
  selectedLines(): { from: number; to: number } | null {
    const { main } = this.view.state.selection;
    if (main.empty) return null;
    const { doc } = this.view.state;
    return { from: doc.lineAt(main.from).number, to: doc.lineAt(main.to).number };
  }

  /** Puts a text in place of the one that is there, as one step; cursors and folds stay where the text stays. */
  rewrite(changes: readonly { from: number; to: number; insert: string }[]): void {
    const edits = changes.map((change) => ({ ...change, insert: Text.of(change.insert.split('\n')) }));
    this.view.dispatch({ changes: edits, userEvent: 'input.format', annotations: isolateHistory.of('full'), scrollIntoView: true });
  }

  search(): void {
    openSearchPanel(this.view);
  }

  /** Opens the search with the replacement field at hand. */
  replace(): void {
    openSearchPanel(this.view);
    this.view.dom.querySelector<HTMLInputElement>('.find-panel [name=replace]')?.focus();
  }

  undo(): void {
    this.#current?.text.undo(this.#current, this.view.state.selection);
  }

  redo(): void {
    this.#current?.text.redo(this.#current, this.view.state.selection);
  }

  forget(open: ReadonlySet<string>): void {
    for (const [id, sheet] of this.#sheets) {
      if (open.has(id)) continue;
      sheet.text.leave(sheet);
      this.#sheets.delete(id);
    }
  }

  destroy(): void {
    this.#sizes.disconnect();
    clearTimeout(this.#again);
    this.#putAway();
    this.forget(new Set());
    this.view.destroy();
  }

  #putAway(): void {
    if (!this.#current) return;
    this.#current.state = this.view.state;
    this.#current.scroll = this.view.scrollSnapshot();
    this.#current = null;
  }

  #create(document: Document, from: Position | null): Sheet {
    const text = SharedText.of(document);
    text.follow();
    const sheet: Sheet = {
      document,
      text,
      state: EditorState.create(),
      path: document.path,
      scroll: null,
      behind: null,
      take: (changes, selection) => this.#take(sheet, changes, selection),
      renew: () => {
        sheet.behind = null;
        sheet.state = this.#stateOf(sheet);
        if (this.#current === sheet) this.view.setState(sheet.state);
        this.#ensureLanguage(sheet);
      },
    };
    sheet.state = this.#stateOf(sheet);
    if (from && from.line > 1) {
      const at = offsetOf(text.doc, from.line, from.column);
      sheet.state = sheet.state.update({ selection: { anchor: at }, annotations: told.of(true) }).state;
      sheet.scroll = EditorView.scrollIntoView(at, { y: 'center' });
    }
    text.join(sheet);
    this.#ensureLanguage(sheet);
    return sheet;
  }

  #take(sheet: Sheet, changes: ChangeSet, selection?: EditorSelection): void {
    if (this.#current === sheet) {
      this.view.dispatch({ changes, annotations: told.of(true), ...(selection ? { selection, scrollIntoView: true } : {}) });
    } else if (!changes.empty) {
      // A hidden text isn't parsed with every keystroke: it catches up when it is shown.
      sheet.behind = sheet.behind ? sheet.behind.compose(changes) : changes;
    }
  }

  #stateOf(sheet: Sheet): EditorState {
    const { lineBreak, doc } = sheet.text;
    const { readOnly, wrap, tabSize } = this.#presentation;
    return EditorState.create({
      doc,
      extensions: [
        this.#tab.of(tabSizeExtension(tabSize)),
        reading(languageOf(sheet.path), lineBreak, this.#wrap.of(wrapExtension(wrap))),
        editing(lineBreak, sheet.text.undoing(sheet)),
        this.#language.of(languageOf(sheet.path).loaded(this.#helpFor(sheet)) ?? NONE),
        this.#readOnly.of(readOnlyExtension(readOnly)),
        EditorView.contentAttributes.of({ 'aria-label': `Editor, ${sheet.path}`, tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          for (const transaction of update.transactions) sheet.text.did(transaction, sheet);
          if (update.selectionSet || update.docChanged) this.tellCursor();
        }),
      ],
    });
  }

  /** What of the presentation a state doesn't have yet. */
  #presented(state: EditorState): StateEffect<unknown>[] {
    const { readOnly, wrap, tabSize } = this.#presentation;
    const wanted: [Compartment, Extension][] = [
      [this.#readOnly, readOnlyExtension(readOnly)],
      [this.#wrap, wrapExtension(wrap)],
      [this.#tab, tabSizeExtension(tabSize)],
    ];
    return wanted.flatMap(([compartment, extension]) => (compartment.get(state) === extension ? [] : [compartment.reconfigure(extension)]));
  }

  #helpFor(sheet: Sheet): DocumentHelp | undefined {
    const { help } = this.#ports;
    return help ? helpFor(sheet.document, help) : undefined;
  }

  /** Loads the language of a new state unless that has it already. */
  #ensureLanguage(sheet: Sheet): void {
    if (this.#language.get(sheet.state) === NONE) void this.#loadLanguage(sheet);
  }

  async #loadLanguage(sheet: Sheet): Promise<void> {
    const { path } = sheet;
    const extension = await languageOf(path).load(this.#helpFor(sheet));
    if (sheet.path !== path) return;
    const effects = this.#language.reconfigure(extension);
    if (this.#current === sheet) this.view.dispatch({ effects });
    else sheet.state = sheet.state.update({ effects }).state;
  }

  #position(): Position {
    const { head } = this.view.state.selection.main;
    const line = this.view.state.doc.lineAt(head);
    return { line: line.number, column: columnAt(line.text, head - line.from) };
  }
}

const NONE: Extension = [];
const READ_ONLY: Extension = [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ 'aria-readonly': 'true' })];
const tabSizes = new Map<number, Extension>();

// The same value gives the same object, by which a state is seen to have it.
const wrapExtension = (wrap: boolean): Extension => (wrap ? EditorView.lineWrapping : NONE);
const readOnlyExtension = (readOnly: boolean): Extension => (readOnly ? READ_ONLY : NONE);

function tabSizeExtension(size: number): Extension {
  const extension = tabSizes.get(size) ?? EditorState.tabSize.of(size);
  tabSizes.set(size, extension);
  return extension;
}
