/** In CSS pixels; bound to the window by the shell. */
export class WindowSize {
  width = $state(1280);
  height = $state(800);
  /** Too narrow for the inspector beside the editors: it lies above them. */
  readonly isNarrow = $derived(this.width < 1000);
}
