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

/** The extensions of every text, editable or not. By default, prose wraps. */
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

/** Common shortcuts of other editors that CodeMirror lacks or has on other keys. */
const VSCODE_KEYS: readonly KeyBinding[] = [
  { key: 'Mod-l', run: selectLine, preventDefault: true },
  { key: 'Shift-Alt-i', run: EDITOR_COMMANDS.cursorsAtLineEnds, preventDefault: true },
];
const OTHERS = new Set(['Mod-g', 'Mod-Alt-g']);

/** Undo and redo of a text with a single view. */
const ownHistory: Extension = [history(), keymap.of(historyKeymap)];

/** The additional extensions of an editable text. */
export function editing(lineBreak: string, undoing: Extension = ownHistory): Extension {
  return [
    EditorState.allowMultipleSelections.of(true),
    EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?|\n/g, lineBreak)),
    undoing,
    foldGutter({ openText: '⌄', closedText: '›' }),
    // Without this, the first diagnostics would reconfigure the whole editor.
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
    // In the page, so that tooltips aren’t clipped at the edge of the editor.
    tooltips({ parent: document.body }),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    search({ top: true, createPanel: searchPanel }),
    // Quick open goes to lines.
    keymap.of([...closeBracketsKeymap, ...VSCODE_KEYS, ...defaultKeymap, ...searchKeymap.filter(({ key }) => !OTHERS.has(key ?? '')), ...foldKeymap, indentWithTab]),
  ];
}
