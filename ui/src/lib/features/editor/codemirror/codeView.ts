import { redo, undo } from '@codemirror/commands';
import { setDiagnostics, type Diagnostic as Mark } from '@codemirror/lint';
import { openSearchPanel } from '@codemirror/search';
import { Annotation, Compartment, EditorSelection, EditorState, type Extension, type StateEffect, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Diagnostic } from '$lib/wire';
import { capital } from '$lib/domain';
import { difference, type Buffer } from '../buffer';
import type { Document, Goal, Position } from '../document.svelte';
import { editing, reading } from './extensions';
import { languageOf } from './languages';
import type { ScriptFunctions } from './scriptTools';
import { lineBreakOf, offsetOf, rangeOf, columnAt } from './positions';

/** Marks a change that didn't come from the person at the keyboard. */
const outside = Annotation.define<boolean>();

class CodeBuffer implements Buffer {
  readonly #state: () => EditorState;
  #known: { text: string; doc: Text } | null = null;

  constructor(state: () => EditorState) {
    this.#state = state;
  }

  text(): string {
    return this.#state().sliceDoc();
  }

  /** Compares shared subtrees by identity: cheap enough for each keystroke. */
  equals(text: string): boolean {
    if (this.#known?.text !== text) this.#known = { text, doc: this.#state().toText(text) };
    return this.#state().doc.eq(this.#known.doc);
  }
}

interface Sheet {
  document: Document;
  state: EditorState;
  path: string;
  replacement: number;
  scroll: StateEffect<unknown> | null;
}

export interface CodeViewPorts {
  /** The cursor moved. */
  cursor: (position: Position) => void;
  /** What scripts can import. */
  functions: ScriptFunctions;
}

/** One CodeMirror view for all tabs: each document keeps its own state, with undo, folds and scroll position. */
export class CodeView {
  readonly view: EditorView;
  readonly #sheets = new Map<string, Sheet>();
  readonly #readOnly = new Compartment();
  readonly #language = new Compartment();
  readonly #ports: CodeViewPorts;
  #current: Sheet | null = null;

  constructor(parent: HTMLElement, ports: CodeViewPorts) {
    this.#ports = ports;
    this.view = new EditorView({ parent });
  }

  show(document: Document): void {
    if (this.#current?.document === document) return;
    this.#putAway();
    const sheet = this.#sheets.get(document.id) ?? this.#create(document);
    this.#sheets.set(document.id, sheet);
    this.#current = sheet;
    this.view.setState(sheet.state);
    if (sheet.scroll) this.view.dispatch({ effects: sheet.scroll });
    this.follow(document);
    this.#ports.cursor(this.#position());
  }

  /** Takes over a text that was replaced from outside; the cursor stays at what didn't change. */
  follow(document: Document): void {
    const sheet = this.#current;
    if (sheet?.document !== document) return;
    if (sheet.path !== document.path) {
      sheet.path = document.path;
      void this.#loadLanguage(sheet);
    }
    if (sheet.replacement === document.replacement) return;
    sheet.replacement = document.replacement;
    const text = document.text();
    const lineBreak = lineBreakOf(text);
    if (lineBreak !== this.view.state.lineBreak) {
      sheet.state = this.#stateOf(document, text, lineBreak);
      this.view.setState(sheet.state);
      void this.#loadLanguage(sheet);
    } else {
      const change = difference(this.view.state.doc.toString(), text.split(lineBreak).join('\n'));
      if (change) {
        this.view.dispatch({
          changes: { ...change, insert: Text.of(change.insert.split('\n')) },
          annotations: outside.of(true),
        });
      }
    }
    document.attach(this.#bufferOf(sheet));
  }

  setReadOnly(readOnly: boolean): void {
    this.view.dispatch({ effects: this.#readOnly.reconfigure(readOnlyExtension(readOnly)) });
  }

  mark(diagnostics: readonly Diagnostic[]): void {
    const { doc } = this.view.state;
    const marks = diagnostics.map((diagnostic): Mark => ({
      ...rangeOf(doc, diagnostic),
      severity: diagnostic.severity,
      message: [diagnostic.message, diagnostic.hint ?? ''].filter((text) => text !== '').map(capital).join('\n'),
      source: diagnostic.rule,
    }));
    marks.sort((a, b) => a.from - b.from);
    this.view.dispatch(setDiagnostics(this.view.state, marks));
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

  search(): void {
    openSearchPanel(this.view);
  }

  /** Opens the search with the replacement field at hand. */
  replace(): void {
    openSearchPanel(this.view);
    this.view.dom.querySelector<HTMLInputElement>('.find-panel [name=replace]')?.focus();
  }

  undo(): void {
    undo(this.view);
  }

  redo(): void {
    redo(this.view);
  }

  forget(open: ReadonlySet<string>): void {
    for (const id of this.#sheets.keys()) if (!open.has(id)) this.#sheets.delete(id);
  }

  destroy(): void {
    this.#putAway();
    this.view.destroy();
  }

  #putAway(): void {
    if (!this.#current) return;
    this.#current.state = this.view.state;
    this.#current.scroll = this.view.scrollSnapshot();
    this.#current = null;
  }

  #create(document: Document): Sheet {
    const text = document.text();
    const state = this.#stateOf(document, text, lineBreakOf(text));
    const sheet: Sheet = { document, state, path: document.path, replacement: document.replacement, scroll: null };
    document.attach(this.#bufferOf(sheet));
    void this.#loadLanguage(sheet);
    return sheet;
  }

  #bufferOf(sheet: Sheet): Buffer {
    return new CodeBuffer(() => (this.#current === sheet ? this.view.state : sheet.state));
  }

  #stateOf(document: Document, text: string, lineBreak: string): EditorState {
    return EditorState.create({
      doc: Text.of(text.split(lineBreak)),
      extensions: [
        reading(languageOf(document.path), lineBreak),
        editing(lineBreak),
        this.#language.of([]),
        this.#readOnly.of([]),
        EditorView.contentAttributes.of({ 'aria-label': `Editor, ${document.path}` }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.every((one) => one.annotation(outside))) document.edited();
          if (update.selectionSet || update.docChanged) this.#ports.cursor(this.#position());
        }),
      ],
    });
  }

  async #loadLanguage(sheet: Sheet): Promise<void> {
    const { path } = sheet;
    const extension = await languageOf(path).load(this.#ports.functions);
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

function readOnlyExtension(readOnly: boolean): Extension {
  if (!readOnly) return [];
  return [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ 'aria-readonly': 'true' })];
}
