/** Where text can be selected with the pointer. */
const TEXT = 'input, textarea, .cm-content, .selectable';

/**
 * A drag that begins outside of a text, at a divider or a tab, selects nothing on its way: the web view would select in the editor, and the
 * next key would replace that.
 */
export function holdSelection(): () => void {
  let pressed: EventTarget | null = null;
  const press = (event: PointerEvent): void => {
    pressed = event.target;
  };
  const release = (): void => {
    pressed = null;
  };
  const select = (event: Event): void => {
    if (pressed instanceof Element && !pressed.closest(TEXT)) event.preventDefault();
  };
  const parts = [
    ['pointerdown', press],
    ['pointerup', release],
    ['pointercancel', release],
    ['selectstart', select],
  ] as const;
  for (const [name, listener] of parts) document.addEventListener(name, listener as EventListener, true);
  return () => {
    for (const [name, listener] of parts) document.removeEventListener(name, listener as EventListener, true);
  };
}
