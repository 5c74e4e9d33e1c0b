import type { Command } from '$lib/commands';
import type { EditorCommand } from '$lib/features/editor';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'context' | 'editor' | 'symbols'>;

/** Commands of the text editor. */
const IN_TEXT: readonly [EditorCommand, string, readonly string[], string?][] = [
  ['toggleComment', 'Toggle line comment', ['Ctrl+/'], 'toggle'],
  ['toggleBlockComment', 'Toggle block comment', ['Shift+Alt+A'], 'block toggle'],
  ['moveLineUp', 'Move line up', ['Alt+Up']],
  ['moveLineDown', 'Move line down', ['Alt+Down']],
  ['copyLineUp', 'Copy line up', ['Shift+Alt+Up'], 'duplicate'],
  ['copyLineDown', 'Copy line down', ['Shift+Alt+Down'], 'duplicate'],
  ['deleteLine', 'Delete line', ['Ctrl+Shift+K'], 'remove'],
  ['selectLine', 'Select line', ['Ctrl+L']],
  ['selectNextOccurrence', 'Add next occurrence to selection', ['Ctrl+D'], 'multi cursor occurrence'],
  ['selectSelectionMatches', 'Select all occurrences', ['Ctrl+Shift+L'], 'multi cursor occurrences'],
  ['addCursorAbove', 'Add cursor above', ['Ctrl+Alt+Up'], 'multi'],
  ['addCursorBelow', 'Add cursor below', ['Ctrl+Alt+Down'], 'multi'],
  ['cursorsAtLineEnds', 'Add cursors at line ends', ['Shift+Alt+I'], 'multi'],
  ['foldCode', 'Fold', ['Ctrl+Shift+['], 'collapse'],
  ['unfoldCode', 'Unfold', ['Ctrl+Shift+]'], 'expand'],
  ['foldAll', 'Fold all', ['Ctrl+Alt+['], 'collapse'],
  ['unfoldAll', 'Unfold all', ['Ctrl+Alt+]'], 'expand'],
  ['cursorMatchingBracket', 'Go to bracket', []],
  ['startCompletion', 'Trigger suggest', ['Ctrl+Space'], 'complete completion intellisense'],
];

/** Whether the focus is in the text or in a list over it. */
function inText(): boolean {
  if (typeof document === 'undefined') return false;
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.closest('.cm-content, dialog') != null;
}

export function symbolsCommands(services: Needs): Command[] {
  const { editor, symbols } = services;
  const { inEditor, hasText } = services.context;
  const { canEdit } = services.context.shown;
  const shown = (): boolean => inEditor() && editor.front !== null && inText();

  return [
    { id: 'go.definition', group: 'Go', title: 'Go to definition', keys: ['F12'], keywords: 'declaration follow', when: shown, run: () => symbols.with((viewModel) => viewModel.follow()) },
    { id: 'go.references', group: 'Go', title: 'Find references', keys: ['Shift+F12'], keywords: 'usages uses', when: shown, run: () => symbols.with((viewModel) => viewModel.findReferences()) },
    { id: 'go.symbol', group: 'Go', title: 'Go to symbol', keys: ['Ctrl+Shift+O'], keywords: 'outline heading function', when: hasText, run: () => symbols.goToSymbol() },
    { id: 'go.line', group: 'Go', title: 'Go to line', keys: ['Ctrl+G'], keywords: 'number', when: hasText, run: () => symbols.goToLine() },
    { id: 'go.nextReference', group: 'Go', title: 'Go to next reference', keys: ['F4'], when: () => symbols.hasReferences, run: () => symbols.view?.references.list.step(1) },
    { id: 'go.previousReference', group: 'Go', title: 'Go to previous reference', keys: ['Shift+F4'], when: () => symbols.hasReferences, run: () => symbols.view?.references.list.step(-1) },
    { id: 'view.outline', group: 'View', title: 'Show outline', inGuide: true, keywords: 'symbols headings structure', when: inEditor, run: () => symbols.showOutline() },
    { id: 'text.rename', group: 'Text', title: 'Rename variable or artifact', keys: ['F2'], keywords: 'symbol everywhere refactor', when: shown, run: () => symbols.with((viewModel) => viewModel.rename()) },
    { id: 'text.format', group: 'Text', title: 'Format file', keys: ['Shift+Alt+F'], keywords: 'prettier beautify document indent', when: () => shown() && canEdit(), run: () => symbols.with((viewModel) => viewModel.format(false)) },
    { id: 'text.formatSelection', group: 'Text', title: 'Format selection', keywords: 'prettier beautify lines', when: () => shown() && canEdit(), run: () => symbols.with((viewModel) => viewModel.format(true)) },
    ...IN_TEXT.map(([name, title, keys, keywords = '']): Command => ({ id: `text.${name}`, group: 'Text', title, keys, keywords, when: shown, run: () => editor.front?.commands.run(name) })),
  ];
}
