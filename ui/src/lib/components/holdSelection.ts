const SELECTABLE = 'input, textarea, .cm-content, .selectable';

/** Keeps drags that begin outside of text, such as at a divider, from selecting text in the editor, which the next key would replace. */
export function holdSelection(): () => void {
  let pressed: EventTarget | null = null;
  const press = (event: PointerEvent): void => {
    pressed = event.target;
  };
  const release = (): void => {
    pressed = null;
  };
  const select = (event: Event): void => {
    if (pressed instanceof Element && !pressed.closest(SELECTABLE)) event.preventDefault();
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
