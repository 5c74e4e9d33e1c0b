import { isolateHistory, redo, undo } from '@codemirror/commands';
import { openSearchPanel } from '@codemirror/search';
import { type StateCommand, Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { EDITOR_COMMANDS, type EditorCommand } from './editorCommands';

/** The commands of the window that an editor runs. */
export class CodeCommands {
  readonly #view: EditorView;
  readonly #runHistory: (command: StateCommand) => void;

  /** `runHistory` runs a command of the text’s history. */
  constructor(view: EditorView, runHistory: (command: StateCommand) => void) {
    this.#view = view;
    this.#runHistory = runHistory;
  }

  run(command: EditorCommand): void {
    this.#view.focus();
    EDITOR_COMMANDS[command](this.#view);
  }

  find(): void {
    openSearchPanel(this.#view);
  }

  /** Opens the search panel with the focus in the replacement field. */
  replace(): void {
    openSearchPanel(this.#view);
    this.#view.dom.querySelector<HTMLInputElement>('.find-panel [name=replace]')?.focus();
  }

  undo(): void {
    this.#runHistory(undo);
  }

  redo(): void {
    this.#runHistory(redo);
  }

  /** Applies the edits of a formatter as one undo step. Cursors and folds outside of them stay. */
  applyEdits(edits: readonly { from: number; to: number; insert: string }[]): void {
    const changes = edits.map((edit) => ({ ...edit, insert: Text.of(edit.insert.split('\n')) }));
    this.#view.dispatch({ changes, userEvent: 'input.format', annotations: isolateHistory.of('full'), scrollIntoView: true });
  }
}
