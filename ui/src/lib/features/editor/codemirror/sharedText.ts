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
import { type Buffer, difference } from '../document/buffer';
import type { DocumentContent } from '../document/content.svelte';
import { lineBreakOf } from './positions';

/** Marks a transaction that comes from the shared text, not from this view. */
export const remote = Annotation.define<boolean>();

/** A view of a shared text. */
export interface TextView {
  /** Applies a change made elsewhere. The selection is set if this view asked for the change, as by undo. */
  take(changes: ChangeSet, selection?: EditorSelection): void;
  /** The text was replaced by one with other line breaks. */
  renew(): void;
}

/** The text and undo history of a document. */
class TextBuffer implements Buffer {
  state: EditorState;
  #joined: { text: string; doc: Text } | null = null;
  #compared: { text: string; doc: Text } | null = null;

  constructor(text: string) {
    this.state = stateOf(text, lineBreakOf(text));
  }

  /** Joins the lines once for each edition, for draft, check and preview. */
  text(): string {
    const { doc } = this.state;
    if (this.#joined?.doc !== doc) this.#joined = { doc, text: this.state.sliceDoc() };
    return this.#joined.text;
  }

  get length(): number {
    return this.state.doc.length;
  }

  get lines(): number {
    return this.state.doc.lines;
  }

  /** Compares shared subtrees by identity: fast enough for each key press. */
  equals(text: string): boolean {
    if (this.#compared?.text !== text) this.#compared = { text, doc: this.state.toText(text) };
    return this.state.doc.eq(this.#compared.doc);
  }
}

const texts = new WeakMap<DocumentContent, SharedText>();

/**
 * The text of a document with one undo history for all its views. Each view has its own cursor, folds and scroll
 * position, and records its transactions here. It lives as long as its document, also without views.
 */
export class SharedText {
  readonly #buffer: TextBuffer;
  readonly #content: DocumentContent;
  readonly #views = new Set<TextView>();
  #replacement: number;
  /** The view of the last edit, whose cursor the history has. */
  #active: TextView | null = null;

  static of(content: DocumentContent): SharedText {
    const existing = texts.get(content);
    if (existing) return existing;
    const created = new SharedText(content);
    texts.set(content, created);
    return created;
  }

  private constructor(content: DocumentContent) {
    this.#content = content;
    this.#buffer = new TextBuffer(content.text());
    this.#replacement = content.replacement;
    content.attach(this.#buffer);
  }

  get doc(): Text {
    return this.#buffer.state.doc;
  }

  get lineBreak(): string {
    return this.#buffer.state.lineBreak;
  }

  join(view: TextView): void {
    this.#views.add(view);
  }

  leave(view: TextView): void {
    this.#views.delete(view);
    if (this.#active === view) this.#active = null;
  }

  /** Applies a transaction of a view to the text and the other views. */
  record(transaction: Transaction, from: TextView): void {
    if (transaction.annotation(remote) || (!transaction.docChanged && !transaction.selection)) return;
    this.#activate(from, transaction.startState.selection);
    this.#buffer.state = this.#buffer.state.update({
      changes: transaction.changes,
      ...(transaction.selection ? { selection: transaction.selection } : {}),
      annotations: [
        ...copied(transaction, Transaction.time),
        ...copied(transaction, Transaction.userEvent),
        ...copied(transaction, Transaction.addToHistory),
        ...copied(transaction, isolateHistory),
      ],
    }).state;
    if (!transaction.docChanged) return;
    this.#broadcast(transaction.changes, from);
    this.#content.edited();
  }

  /** Applies a text that was replaced outside the editor. Cursors outside the changed part stay. */
  follow(): void {
    const content = this.#content;
    if (this.#replacement === content.replacement) return;
    this.#replacement = content.replacement;
    const text = content.text();
    const lineBreak = lineBreakOf(text);
    if (lineBreak !== this.lineBreak) {
      this.#buffer.state = stateOf(text, lineBreak);
      for (const view of this.#views) view.renew();
    } else {
      const change = difference(this.doc.toString(), text.split(lineBreak).join('\n'));
      if (change) {
        const { state, changes } = this.#buffer.state.update({
          changes: { ...change, insert: Text.of(change.insert.split('\n')) },
          annotations: content.wasTyped ? Transaction.userEvent.of('input.type') : isolateHistory.of('full'),
        });
        this.#buffer.state = state;
        this.#broadcast(changes, null);
      }
    }
    content.attach(this.#buffer);
  }

  /** Runs a command of the history, such as undo, for a view. */
  run(command: StateCommand, from: TextView, selection: EditorSelection): boolean {
    this.#activate(from, selection);
    return command({
      state: this.#buffer.state,
      dispatch: (transaction) => {
        this.#buffer.state = transaction.state;
        from.take(transaction.changes, transaction.newSelection);
        if (!transaction.docChanged) return;
        this.#broadcast(transaction.changes, from);
        this.#content.edited();
      },
    });
  }

  /** Gives the history the cursor of the view where something happens, to which undo returns. */
  #activate(view: TextView, selection: EditorSelection): void {
    if (this.#active === view) return;
    this.#active = view;
    this.#buffer.state = this.#buffer.state.update({
      selection,
      annotations: [Transaction.addToHistory.of(false), isolateHistory.of('full')],
    }).state;
  }

  #broadcast(changes: ChangeSet, except: TextView | null): void {
    for (const view of this.#views) if (view !== except) view.take(changes);
  }
}

/** Undo and redo in a view, by the history of the shared text. */
export function undoExtension(text: SharedText, from: TextView): Extension {
  const run = (command: StateCommand) => (view: EditorView) => !view.state.readOnly && text.run(command, from, view.state.selection);
  return [
    keymap.of([
      { key: 'Mod-z', run: run(undo), preventDefault: true },
      { key: 'Mod-y', mac: 'Mod-Shift-z', run: run(redo), preventDefault: true },
      { linux: 'Ctrl-Shift-z', run: run(redo), preventDefault: true },
      { key: 'Mod-u', run: run(undoSelection), preventDefault: true },
      { key: 'Alt-u', mac: 'Mod-Shift-u', run: run(redoSelection), preventDefault: true },
    ]),
    EditorView.domEventHandlers({
      // The web view’s own menu has Undo too.
      beforeinput: (event, view) => {
        const command = { historyUndo: undo, historyRedo: redo }[event.inputType];
        if (!command) return false;
        event.preventDefault();
        return run(command)(view);
      },
    }),
  ];
}

function stateOf(text: string, lineBreak: string): EditorState {
  return EditorState.create({
    doc: Text.of(text.split(lineBreak)),
    extensions: [EditorState.lineSeparator.of(lineBreak), EditorState.allowMultipleSelections.of(true), history()],
  });
}

function copied<T>(transaction: Transaction, type: AnnotationType<T>): Annotation<T>[] {
  const value = transaction.annotation(type);
  return value === undefined ? [] : [type.of(value)];
}
