import { diagnosticCount, setDiagnostics, type Diagnostic as Mark } from '@codemirror/lint';
import { type ChangeSet, Compartment, EditorSelection, EditorState, type Extension, type StateEffect } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Check, Diagnostic } from '$lib/api/generated';
import { capital } from '$lib/domain';
import type { Document, RevealTarget, Position } from '../document/document.svelte';
import { type DocumentHelp, type EditorHelp, helpFor } from '../help';
import { CodeCommands } from './codeCommands';
import { CodeSelection } from './codeSelection';
import { editing, reading } from './extensions';
import { languageOf } from './languages';
import { offsetOf, rangeOf, columnAt } from './positions';
import { remote, SharedText, type TextView, undoExtension } from './sharedText';

/** The state of a document in a view: cursor, folds and scroll position. */
interface ViewState extends TextView {
  document: Document;
  text: SharedText;
  state: EditorState;
  path: string;
  scroll: StateEffect<unknown> | null;
  /** Changes made elsewhere while another document was shown here. */
  pending: ChangeSet | null;
}

export interface Presentation {
  readOnly: boolean;
  wrap: boolean;
  /** In columns. */
  tabSize: number;
}

export interface CodeViewPorts {
  cursor: (position: Position, document: Document) => void;
  /** Completion and navigation; null: none. */
  help: EditorHelp | null;
  /** Applies a quick fix. */
  fix: (document: Document, fix: Check.OfferedFix) => void;
}

const REMEASURE_DELAY_MS = 120;

/** One CodeMirror view for all tabs of a group: each document has its own cursor, folds and scroll position. */
export class CodeView {
  readonly selection: CodeSelection;
  readonly commands: CodeCommands;
  readonly #view: EditorView;
  readonly #viewStates = new Map<string, ViewState>();
  readonly #readOnly = new Compartment();
  readonly #language = new Compartment();
  readonly #wrap = new Compartment();
  readonly #tab = new Compartment();
  readonly #ports: CodeViewPorts;
  readonly #sizes: ResizeObserver;
  #remeasure: ReturnType<typeof setTimeout> | undefined;
  #current: ViewState | null = null;
  #presentation: Presentation = { readOnly: false, wrap: true, tabSize: 4 };

  constructor(parent: HTMLElement, ports: CodeViewPorts) {
    this.#ports = ports;
    this.#view = new EditorView({ parent });
    this.selection = new CodeSelection(this.#view);
    this.commands = new CodeCommands(this.#view, (command) => this.#current?.text.run(command, this.#current, this.#view.state.selection));
    // The view misses a resize while it draws a text, so that line numbers would be beside other lines. Measuring again
    // after a delay corrects that.
    this.#sizes = new ResizeObserver(() => {
      clearTimeout(this.#remeasure);
      this.#remeasure = setTimeout(() => this.#view.requestMeasure(), REMEASURE_DELAY_MS);
    });
    this.#sizes.observe(this.#view.scrollDOM);
  }

  /** Shows a document. One that wasn’t shown before has its cursor at `from`. */
  show(document: Document, presentation: Presentation, from: Position | null = null): void {
    this.#presentation = presentation;
    if (this.#current?.document === document) {
      const effects = this.#presentationEffects(this.#view.state);
      if (effects.length > 0) this.#view.dispatch({ effects });
      return;
    }
    this.#stash();
    const viewState = this.#viewStates.get(document.id) ?? this.#create(document, from);
    this.#viewStates.set(document.id, viewState);
    // Changes are applied before the view draws the state, so that it draws it once.
    const effects = this.#presentationEffects(viewState.state);
    if (viewState.pending || effects.length > 0) {
      viewState.state = viewState.state.update({ ...(viewState.pending ? { changes: viewState.pending } : {}), effects, annotations: remote.of(true) }).state;
    }
    viewState.pending = null;
    this.#current = viewState;
    this.#view.setState(viewState.state);
    if (viewState.scroll) this.#view.dispatch({ effects: viewState.scroll });
    this.follow(document);
    this.reportCursor();
  }

  /** Applies a new path, and a text that was replaced outside the editor. */
  follow(document: Document): void {
    const viewState = this.#current;
    if (viewState?.document !== document) return;
    if (viewState.path !== document.file.path) {
      viewState.path = document.file.path;
      void this.#loadLanguage(viewState);
    }
    viewState.text.follow();
  }

  reportCursor(): void {
    if (this.#current) this.#ports.cursor(this.#position(), this.#current.document);
  }

  /** Underlines the diagnostics. Quick fixes are offered beside their messages. */
  mark(document: Document): void {
    const { doc } = this.#view.state;
    const { list: diagnostics } = document.diagnostics;
    const marks = diagnostics.map((diagnostic): Mark => ({
      ...rangeOf(doc, diagnostic),
      severity: diagnostic.severity,
      message: [diagnostic.message, diagnostic.hint ?? ''].filter((text) => text !== '').map(capital).join('\n'),
      source: diagnostic.rule,
      ...this.#actions(document, diagnostic),
    }));
    if (marks.length === 0 && diagnosticCount(this.#view.state) === 0) return;
    marks.sort((a, b) => a.from - b.from);
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  #actions(document: Document, diagnostic: Diagnostic): Pick<Mark, 'actions'> {
    const fixes = document.diagnostics.fixesFor(diagnostic);
    if (this.#presentation.readOnly || fixes.length === 0) return {};
    return { actions: fixes.map((fix) => ({ name: fix.title, apply: () => this.#ports.fix(document, fix) })) };
  }

  reveal({ line, column, to, quiet }: RevealTarget): void {
    const { doc } = this.#view.state;
    const at = offsetOf(doc, line, column);
    const range = EditorSelection.range(at, to ? offsetOf(doc, to.line, to.column) : at);
    this.#view.dispatch({ selection: range, effects: EditorView.scrollIntoView(range, { y: 'center' }) });
    if (!quiet) this.#view.focus();
  }

  focus(): void {
    this.#view.focus();
  }

  get document(): Document | null {
    return this.#current?.document ?? null;
  }

  get isReadOnly(): boolean {
    return this.#presentation.readOnly;
  }

  /** Drops the state of documents that aren’t open any more. */
  forget(open: ReadonlySet<string>): void {
    for (const [id, viewState] of this.#viewStates) {
      if (open.has(id)) continue;
      viewState.text.leave(viewState);
      this.#viewStates.delete(id);
    }
  }

  destroy(): void {
    this.#sizes.disconnect();
    clearTimeout(this.#remeasure);
    this.#stash();
    this.forget(new Set());
    this.#view.destroy();
  }

  #stash(): void {
    if (!this.#current) return;
    this.#current.state = this.#view.state;
    this.#current.scroll = this.#view.scrollSnapshot();
    this.#current = null;
  }

  #create(document: Document, from: Position | null): ViewState {
    const text = SharedText.of(document.content);
    text.follow();
    const viewState: ViewState = {
      document,
      text,
      state: EditorState.create(),
      path: document.file.path,
      scroll: null,
      pending: null,
      take: (changes, selection) => this.#take(viewState, changes, selection),
      renew: () => {
        viewState.pending = null;
        viewState.state = this.#stateOf(viewState);
        if (this.#current === viewState) this.#view.setState(viewState.state);
        this.#ensureLanguage(viewState);
      },
    };
    viewState.state = this.#stateOf(viewState);
    if (from && from.line > 1) {
      const at = offsetOf(text.doc, from.line, from.column);
      viewState.state = viewState.state.update({ selection: { anchor: at }, annotations: remote.of(true) }).state;
      viewState.scroll = EditorView.scrollIntoView(at, { y: 'center' });
    }
    text.join(viewState);
    this.#ensureLanguage(viewState);
    return viewState;
  }

  #take(viewState: ViewState, changes: ChangeSet, selection?: EditorSelection): void {
    if (this.#current === viewState) {
      this.#view.dispatch({ changes, annotations: remote.of(true), ...(selection ? { selection, scrollIntoView: true } : {}) });
    } else if (!changes.empty) {
      // A hidden text isn’t parsed with every key press: it is updated when it is shown.
      viewState.pending = viewState.pending ? viewState.pending.compose(changes) : changes;
    }
  }

  #stateOf(viewState: ViewState): EditorState {
    const { lineBreak, doc } = viewState.text;
    const { readOnly, wrap, tabSize } = this.#presentation;
    return EditorState.create({
      doc,
      extensions: [
        this.#tab.of(tabSizeExtension(tabSize)),
        reading(languageOf(viewState.path), lineBreak, this.#wrap.of(wrapExtension(wrap))),
        editing(lineBreak, undoExtension(viewState.text, viewState)),
        this.#language.of(languageOf(viewState.path).loaded(this.#helpFor(viewState)) ?? NONE),
        this.#readOnly.of(readOnlyExtension(readOnly)),
        EditorView.contentAttributes.of({ 'aria-label': `Editor, ${viewState.path}`, tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          for (const transaction of update.transactions) viewState.text.record(transaction, viewState);
          if (update.selectionSet || update.docChanged) this.reportCursor();
        }),
      ],
    });
  }

  /** The effects that give a state the current presentation. */
  #presentationEffects(state: EditorState): StateEffect<unknown>[] {
    const { readOnly, wrap, tabSize } = this.#presentation;
    const extensions: [Compartment, Extension][] = [
      [this.#readOnly, readOnlyExtension(readOnly)],
      [this.#wrap, wrapExtension(wrap)],
      [this.#tab, tabSizeExtension(tabSize)],
    ];
    return extensions.flatMap(([compartment, extension]) => (compartment.get(state) === extension ? [] : [compartment.reconfigure(extension)]));
  }

  #helpFor(viewState: ViewState): DocumentHelp | undefined {
    const { help } = this.#ports;
    return help ? helpFor(viewState.document, help) : undefined;
  }

  #ensureLanguage(viewState: ViewState): void {
    if (this.#language.get(viewState.state) === NONE) void this.#loadLanguage(viewState);
  }

  async #loadLanguage(viewState: ViewState): Promise<void> {
    const { path } = viewState;
    const extension = await languageOf(path).load(this.#helpFor(viewState));
    if (viewState.path !== path) return;
    const effects = this.#language.reconfigure(extension);
    if (this.#current === viewState) this.#view.dispatch({ effects });
    else viewState.state = viewState.state.update({ effects }).state;
  }

  #position(): Position {
    const { head } = this.#view.state.selection.main;
    const line = this.#view.state.doc.lineAt(head);
    return { line: line.number, column: columnAt(line.text, head - line.from) };
  }
}

const NONE: Extension = [];
const READ_ONLY: Extension = [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ 'aria-readonly': 'true' })];
const tabSizes = new Map<number, Extension>();

// The same value gives the same object, so that a state that has it can be recognized by identity.
const wrapExtension = (wrap: boolean): Extension => (wrap ? EditorView.lineWrapping : NONE);
const readOnlyExtension = (readOnly: boolean): Extension => (readOnly ? READ_ONLY : NONE);

function tabSizeExtension(size: number): Extension {
  const extension = tabSizes.get(size) ?? EditorState.tabSize.of(size);
  tabSizes.set(size, extension);
  return extension;
}
