import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
  tooltips,
} from '@codemirror/view';
import type { Language } from './languages';
import { searchPanel } from './searchPanel';
import { appearance } from './theme';

/** What every text has, editable or not. Prose is wrapped unless said otherwise. */
export function reading(language: Language, lineBreak: string, wrap: Extension = language.prose ? EditorView.lineWrapping : []): Extension {
  return [
    EditorState.lineSeparator.of(lineBreak),
    EditorState.tabSize.of(4),
    indentUnit.of(language.indent),
    wrap,
    lineNumbers(),
    highlightSpecialChars(),
    drawSelection(),
    bracketMatching(),
    appearance,
  ];
}

/** Undo and redo of a text that is edited in one place only. */
const ownHistory: Extension = [history(), keymap.of(historyKeymap)];

/** What an editor adds. */
export function editing(lineBreak: string, undoing: Extension = ownHistory): Extension {
  return [
    EditorState.allowMultipleSelections.of(true),
    EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?|\n/g, lineBreak)),
    undoing,
    foldGutter({ openText: '⌄', closedText: '›' }),
    lintGutter(),
    indentOnInput(),
    closeBrackets(),
    rectangularSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    // In the page, so that help beside a long line isn't cut off where the editor ends.
    tooltips({ parent: document.body }),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    search({ top: true, createPanel: searchPanel }),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...foldKeymap, indentWithTab]),
  ];
}
