import { history, isolateHistory, redo, redoSelection, undo, undoSelection } from '@codemirror/commands';
import {
  Annotation,
  type AnnotationType,
  type ChangeSet,
  type EditorSelection,
  EditorState,
  type Extension,
  type StateCommand,
  Text,
  Transaction,
} from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { type Buffer, difference } from '../buffer';
import type { Document } from '../document.svelte';
import { lineBreakOf } from './positions';

/** Marks what a view was told: it happened in the text, not in this view. */
export const told = Annotation.define<boolean>();

/** One of the places where a text is edited. */
export interface TextPlace {
  /** Something was changed elsewhere. With a selection the cursor goes there: it was asked for here. */
  take(changes: ChangeSet, selection?: EditorSelection): void;
  /** The text begins anew, with other line ends. */
  renew(): void;
}

const texts = new WeakMap<Document, SharedText>();

/**
 * The text of a document with its one undo history, whoever shows it: each view has its own cursor, folds and scroll
 * position, and tells what was done in it. It lives as long as its document, also while no view is there.
 */
export class SharedText implements Buffer {
  #state: EditorState;
  #replacement: number;
  #known: { text: string; doc: Text } | null = null;
  #joined: { text: string; doc: Text } | null = null;
  /** Where was typed last: the history remembers the cursor of that place. */
  #busy: TextPlace | null = null;
  readonly #places = new Set<TextPlace>();
  readonly #document: Document;

  static of(document: Document): SharedText {
    const known = texts.get(document);
    if (known) return known;
    const made = new SharedText(document);
    texts.set(document, made);
    return made;
  }

  private constructor(document: Document) {
    this.#document = document;
    const text = document.text();
    this.#state = begin(text, lineBreakOf(text));
    this.#replacement = document.replacement;
    document.attach(this);
  }

  get doc(): Text {
    return this.#state.doc;
  }

  get lineBreak(): string {
    return this.#state.lineBreak;
  }

  /** Draft, check and preview read the same edition: it is put together once. */
  text(): string {
    const { doc } = this.#state;
    if (this.#joined?.doc !== doc) this.#joined = { doc, text: this.#state.sliceDoc() };
    return this.#joined.text;
  }

  get length(): number {
    return this.#state.doc.length;
  }

  get lines(): number {
    return this.#state.doc.lines;
  }

  /** Compares shared subtrees by identity: cheap enough for each keystroke. */
  equals(text: string): boolean {
    if (this.#known?.text !== text) this.#known = { text, doc: this.#state.toText(text) };
    return this.#state.doc.eq(this.#known.doc);
  }

  join(place: TextPlace): void {
    this.#places.add(place);
  }

  leave(place: TextPlace): void {
    this.#places.delete(place);
    if (this.#busy === place) this.#busy = null;
  }

  /** Takes over what a person did in one of the places. */
  did(transaction: Transaction, from: TextPlace): void {
    if (transaction.annotation(told) || (!transaction.docChanged && !transaction.selection)) return;
    this.#attend(from, transaction.startState.selection);
    this.#state = this.#state.update({
      changes: transaction.changes,
      ...(transaction.selection ? { selection: transaction.selection } : {}),
      annotations: [
        ...same(transaction, Transaction.time),
        ...same(transaction, Transaction.userEvent),
        ...same(transaction, Transaction.addToHistory),
        ...same(transaction, isolateHistory),
      ],
    }).state;
    if (!transaction.docChanged) return;
    this.#tell(transaction.changes, from);
    this.#document.edited();
  }

  /** Takes over a text that was replaced from outside; cursors stay at what didn't change. */
  follow(): void {
    const document = this.#document;
    if (this.#replacement === document.replacement) return;
    this.#replacement = document.replacement;
    const text = document.text();
    const lineBreak = lineBreakOf(text);
    if (lineBreak !== this.#state.lineBreak) {
      this.#state = begin(text, lineBreak);
      for (const place of this.#places) place.renew();
    } else {
      const change = difference(this.#state.doc.toString(), text.split(lineBreak).join('\n'));
      if (change) {
        const { state, changes } = this.#state.update({
          changes: { ...change, insert: Text.of(change.insert.split('\n')) },
          annotations: isolateHistory.of('full'),
        });
        this.#state = state;
        this.#tell(changes, null);
      }
    }
    document.attach(this);
  }

  undo(from: TextPlace, selection: EditorSelection): boolean {
    return this.#run(undo, from, selection);
  }

  redo(from: TextPlace, selection: EditorSelection): boolean {
    return this.#run(redo, from, selection);
  }

  /** Undo and redo in a view, which go to the history of the text. */
  undoing(from: TextPlace): Extension {
    const run = (command: StateCommand) => (view: EditorView) => !view.state.readOnly && this.#run(command, from, view.state.selection);
    return [
      keymap.of([
        { key: 'Mod-z', run: run(undo), preventDefault: true },
        { key: 'Mod-y', mac: 'Mod-Shift-z', run: run(redo), preventDefault: true },
        { linux: 'Ctrl-Shift-z', run: run(redo), preventDefault: true },
        { key: 'Mod-u', run: run(undoSelection), preventDefault: true },
        { key: 'Alt-u', mac: 'Mod-Shift-u', run: run(redoSelection), preventDefault: true },
      ]),
      EditorView.domEventHandlers({
        // The web view's own menu has Undo too.
        beforeinput: (event, view) => {
          const command = { historyUndo: undo, historyRedo: redo }[event.inputType];
          if (!command) return false;
          event.preventDefault();
          return run(command)(view);
        },
      }),
    ];
  }

  #run(command: StateCommand, from: TextPlace, selection: EditorSelection): boolean {
    this.#attend(from, selection);
    return command({
      state: this.#state,
      dispatch: (transaction) => {
        this.#state = transaction.state;
        from.take(transaction.changes, transaction.newSelection);
        if (!transaction.docChanged) return;
        this.#tell(transaction.changes, from);
        this.#document.edited();
      },
    });
  }

  /** The cursor of the place where something happens is the one that the history goes back to. */
  #attend(place: TextPlace, selection: EditorSelection): void {
    if (this.#busy === place) return;
    this.#busy = place;
    this.#state = this.#state.update({
      selection,
      annotations: [Transaction.addToHistory.of(false), isolateHistory.of('full')],
    }).state;
  }

  #tell(changes: ChangeSet, except: TextPlace | null): void {
    for (const place of this.#places) if (place !== except) place.take(changes);
  }
}

function begin(text: string, lineBreak: string): EditorState {
  return EditorState.create({
    doc: Text.of(text.split(lineBreak)),
    extensions: [EditorState.lineSeparator.of(lineBreak), EditorState.allowMultipleSelections.of(true), history()],
  });
}

function same<T>(transaction: Transaction, type: AnnotationType<T>): Annotation<T>[] {
  const value = transaction.annotation(type);
  return value === undefined ? [] : [type.of(value)];
}
