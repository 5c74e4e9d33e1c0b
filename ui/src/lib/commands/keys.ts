// Shortcuts are written "Ctrl+Shift+P". The key is the one the layout produces, except for letters and digits, where a
// layout without Latin letters falls back to the place on the keyboard.

export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

const NAMES: Record<string, string> = { ' ': 'Space', Escape: 'Esc', ArrowUp: 'Up', ArrowDown: 'Down', ArrowLeft: 'Left', ArrowRight: 'Right' };

function keyName(press: KeyPress): string {
  const letter = /^Key([A-Z])$/.exec(press.code)?.[1];
  if (letter && !/^[a-z]$/i.test(press.key)) return letter;
  const digit = /^Digit(\d)$/.exec(press.code)?.[1];
  if (digit) return digit;
  const name = NAMES[press.key] ?? press.key;
  return name.length === 1 ? name.toUpperCase() : name;
}

/** The shortcut that a key press spells. */
export function shortcutOf(press: KeyPress): string {
  const parts: string[] = [];
  if (press.ctrlKey || press.metaKey) parts.push('Ctrl');
  if (press.altKey) parts.push('Alt');
  if (press.shiftKey) parts.push('Shift');
  parts.push(keyName(press));
  return parts.join('+');
}

const ORDER = ['Ctrl', 'Alt', 'Shift'];

/** The same shortcut with its modifiers in one order, so that spellings compare equal. */
export function normalise(shortcut: string): string {
  const parts = shortcut.split('+');
  const key = parts.pop() ?? '';
  parts.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return [...parts, key.length === 1 ? key.toUpperCase() : key].join('+');
}
