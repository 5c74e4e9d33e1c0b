import {
  addCursorAbove,
  addCursorBelow,
  copyLineDown,
  copyLineUp,
  cursorMatchingBracket,
  deleteLine,
  moveLineDown,
  moveLineUp,
  selectLine,
  toggleBlockComment,
  toggleComment,
} from '@codemirror/commands';
import { foldAll, foldCode, toggleFold, unfoldAll, unfoldCode } from '@codemirror/language';
import { selectNextOccurrence, selectSelectionMatches } from '@codemirror/search';
import { EditorSelection } from '@codemirror/state';
import type { Command, EditorView } from '@codemirror/view';
import { startCompletion } from '@codemirror/autocomplete';

/** Adds a cursor at the end of each selected line. */
function cursorsAtLineEnds(view: EditorView): boolean {
  const { doc, selection } = view.state;
  const ends = selection.ranges.flatMap(({ from, to }) => {
    const [first, last] = [doc.lineAt(from).number, doc.lineAt(to).number];
    return Array.from({ length: last - first + 1 }, (_, index) => EditorSelection.cursor(doc.line(first + index).to));
  });
  view.dispatch({ selection: EditorSelection.create(ends), scrollIntoView: true });
  return true;
}

export const EDITOR_COMMANDS = {
  addCursorAbove,
  addCursorBelow,
  copyLineDown,
  copyLineUp,
  cursorMatchingBracket,
  cursorsAtLineEnds,
  deleteLine,
  foldAll,
  foldCode,
  moveLineDown,
  moveLineUp,
  selectLine,
  selectNextOccurrence,
  selectSelectionMatches,
  startCompletion,
  toggleBlockComment,
  toggleComment,
  toggleFold,
  unfoldAll,
  unfoldCode,
} satisfies Record<string, Command>;

export type EditorCommand = keyof typeof EDITOR_COMMANDS;
