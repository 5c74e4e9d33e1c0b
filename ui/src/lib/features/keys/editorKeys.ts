/** Keys of the text editor that no command has. They can't be changed; a command with the same key takes precedence. */
export const EDITOR_KEYS: readonly (readonly [title: string, keys: readonly string[]])[] = [
  ['Undo', ['Ctrl+Z']],
  ['Redo', ['Ctrl+Shift+Z', 'Ctrl+Y']],
  ['Find next', ['F3']],
  ['Find previous', ['Shift+F3']],
  ['Expand selection', ['Ctrl+I']],
  ['Indent line', ['Tab', 'Ctrl+]']],
  ['Outdent line', ['Shift+Tab', 'Ctrl+[']],
  ['Tab moves focus', ['Esc']],
];
