import { EditorSelection } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** The cursor and selection of an editor, and the clipboard operations on them. */
export class CodeSelection {
  readonly #view: EditorView;

  constructor(view: EditorView) {
    this.#view = view;
  }

  /** The selected lines from 1; null if nothing is selected. */
  get lines(): { from: number; to: number } | null {
    const { doc, selection } = this.#view.state;
    const { main } = selection;
    return main.empty ? null : { from: doc.lineAt(main.from).number, to: doc.lineAt(main.to).number };
  }

  /** The position of the cursor on the screen. */
  cursorBox(): { left: number; top: number; bottom: number } {
    const { head } = this.#view.state.selection.main;
    const edge = this.#view.dom.getBoundingClientRect();
    return this.#view.coordsAtPos(head) ?? { left: edge.left, top: edge.top, bottom: edge.top };
  }

  /** Moves the cursor to a point on the screen, unless that is within the selection. */
  moveTo(point: { x: number; y: number }): void {
    const at = this.#view.posAtCoords(point);
    if (at === null) return;
    const inside = this.#view.state.selection.ranges.some(({ from, to, empty }) => !empty && from <= at && at <= to);
    if (!inside) this.#view.dispatch({ selection: EditorSelection.cursor(at) });
    this.#view.focus();
  }

  /** The selected text; without a selection, the lines with a cursor. */
  copy(): string {
    const { state } = this.#view;
    return this.#ranges()
      .map(({ from, to }) => state.sliceDoc(from, to))
      .join(this.#isEmpty() ? '' : state.lineBreak);
  }

  /** Removes and returns what `copy` returns. */
  cut(): string {
    const text = this.copy();
    const changes = this.#ranges().map(({ from, to }) => ({ from, to }));
    if (!this.#view.state.readOnly) this.#view.dispatch({ changes, userEvent: 'delete.cut', scrollIntoView: true });
    return text;
  }

  /** Replaces the selection. */
  paste(text: string): void {
    const { state } = this.#view;
    if (state.readOnly) return;
    this.#view.dispatch(state.replaceSelection(state.toText(text)), { userEvent: 'input.paste', scrollIntoView: true });
    this.#view.focus();
  }

  #isEmpty(): boolean {
    return this.#view.state.selection.ranges.every(({ empty }) => empty);
  }

  #ranges(): { from: number; to: number }[] {
    const { doc, selection } = this.#view.state;
    if (!this.#isEmpty()) return selection.ranges.filter(({ empty }) => !empty);
    const lines = new Map(selection.ranges.map(({ head }) => [doc.lineAt(head).from, doc.lineAt(head)]));
    return [...lines.values()].map(({ from, to }) => ({ from, to: Math.min(to + 1, doc.length) }));
  }
}
