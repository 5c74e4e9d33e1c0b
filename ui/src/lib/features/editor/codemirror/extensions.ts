import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, selectLine } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { linter, lintGutter } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  type KeyBinding,
  keymap,
  lineNumbers,
  rectangularSelection,
  tooltips,
} from '@codemirror/view';
import { directions } from './bidi';
import { completionList } from './completion';
import { EDITOR_COMMANDS } from './editorCommands';
import type { Language } from './languages';
import { searchPanel } from './searchPanel';
import { appearance } from './theme';

/** What every text has, editable or not. Prose is wrapped unless said otherwise. */
export function reading(language: Language, lineBreak: string, wrap: Extension = language.prose ? EditorView.lineWrapping : []): Extension {
  return [
    EditorState.lineSeparator.of(lineBreak),
    indentUnit.of(language.indent),
    wrap,
    lineNumbers(),
    highlightSpecialChars(),
    drawSelection(),
    bracketMatching(),
    directions,
    appearance,
  ];
}

/** What other editors' users have in their fingers and CodeMirror has elsewhere or not at all. */
const VSCODE_KEYS: readonly KeyBinding[] = [
  { key: 'Mod-l', run: selectLine, preventDefault: true },
  { key: 'Shift-Alt-i', run: EDITOR_COMMANDS.cursorsAtLineEnds, preventDefault: true },
];
const OTHERS = new Set(['Mod-g', 'Mod-Alt-g']);

/** Undo and redo of a text that is edited in one place only. */
const ownHistory: Extension = [history(), keymap.of(historyKeymap)];

/** What an editor adds. */
export function editing(lineBreak: string, undoing: Extension = ownHistory): Extension {
  return [
    EditorState.allowMultipleSelections.of(true),
    EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?|\n/g, lineBreak)),
    undoing,
    foldGutter({ openText: '⌄', closedText: '›' }),
    // Findings come from outside; without this the first ones would configure the whole editor anew.
    linter(null),
    lintGutter(),
    indentOnInput(),
    closeBrackets(),
    // As in other editors: Ctrl with a click follows what is named there, Alt adds a cursor, with Shift too a column.
    EditorView.clickAddsSelectionRange.of((event) => event.altKey && !event.shiftKey),
    rectangularSelection({ eventFilter: (event) => event.button === 0 && event.altKey && event.shiftKey }),
    completionList,
    highlightActiveLine(),
    highlightActiveLineGutter(),
    // In the page, so that help beside a long line isn't cut off where the editor ends.
    tooltips({ parent: document.body }),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    search({ top: true, createPanel: searchPanel }),
    // Going to a line is the window's, in its own list.
    keymap.of([...closeBracketsKeymap, ...VSCODE_KEYS, ...defaultKeymap, ...searchKeymap.filter(({ key }) => !OTHERS.has(key ?? '')), ...foldKeymap, indentWithTab]),
  ];
}
