// Shortcuts are written "Ctrl+Shift+P". The key is the one the layout produces, except for letters, digits
// and some punctuation, where layouts that lack them fall back to the position on the keyboard.

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
  // With Shift, and on other layouts, these keys produce other characters.
  const mark = { Backslash: '\\', Period: '.' }[press.code];
  if (mark && (press.ctrlKey || press.metaKey)) return mark;
  const unshifted = press.shiftKey ? { '{': '[', '}': ']' }[press.key] : undefined;
  if (unshifted) return unshifted;
  const name = NAMES[press.key] ?? press.key;
  return name.length === 1 ? name.toUpperCase() : name;
}

/** The shortcut of a key press. */
export function shortcutOf(press: KeyPress): string {
  const parts: string[] = [];
  if (press.ctrlKey || press.metaKey) parts.push('Ctrl');
  if (press.altKey) parts.push('Alt');
  if (press.shiftKey) parts.push('Shift');
  parts.push(keyName(press));
  return parts.join('+');
}

const ORDER = ['Ctrl', 'Alt', 'Shift'];

/** The strokes of a chord such as "Ctrl+K Ctrl+S"; a shortcut of one stroke has one. */
export const strokesOf = (shortcut: string): string[] => shortcut.split(' ').filter(Boolean);

/** Puts the modifiers in a fixed order, so that equal shortcuts compare equal. */
export const normalize = (shortcut: string): string => strokesOf(shortcut).map(normalizedStroke).join(' ');

function normalizedStroke(shortcut: string): string {
  const plus = shortcut.endsWith('++');
  const parts = (plus ? shortcut.slice(0, -2) : shortcut).split('+');
  const key = plus ? '+' : (parts.pop() ?? '');
  parts.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return [...parts, key.length === 1 ? key.toUpperCase() : key].join('+');
}

const KEYS = /^(F([1-9]|1\d|2[0-4])|[A-Z0-9]|[^\sA-Za-z0-9]|Space|Tab|Enter|Esc|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Up|Down|Left|Right)$/u;
/** Reserved for text fields. */
const TEXT = new Set(['Ctrl+A', 'Ctrl+C', 'Ctrl+V', 'Ctrl+X', 'Ctrl+Z', 'Ctrl+Shift+Z', 'Ctrl+Y', 'Ctrl+Backspace', 'Ctrl+Delete', 'Ctrl+Left', 'Ctrl+Right', 'Ctrl+Home', 'Ctrl+End']);

/** Empty if the shortcut can be assigned to a command. The second stroke of a chord may be a key alone. */
export function shortcutProblem(shortcut: string): string {
  const [first, second, ...rest] = strokesOf(shortcut);
  if (first === undefined || rest.length > 0) return `“${shortcut}” isn’t a shortcut.`;
  const problem = strokeProblem(first, false);
  return problem === '' && second !== undefined ? strokeProblem(second, true) : problem;
}

function strokeProblem(shortcut: string, isSecond: boolean): string {
  const written = normalizedStroke(shortcut);
  const parts = written.endsWith('++') ? [...written.slice(0, -2).split('+'), '+'] : written.split('+');
  const key = parts.pop() ?? '';
  if (parts.some((part) => !ORDER.includes(part)) || new Set(parts).size !== parts.length || !KEYS.test(key)) return `“${shortcut}” isn’t a shortcut.`;
  const isFunction = /^F\d+$/.test(key);
  if (isSecond) return '';
  if (!isFunction && !parts.includes('Ctrl') && !parts.includes('Alt')) return `${written} can’t be used alone. Include Ctrl or Alt.`;
  if (TEXT.has(written)) return `${written} is reserved for editing text.`;
  return '';
}
