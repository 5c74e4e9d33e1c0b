/** In CSS pixels; bound to the window by the shell. */
export class WindowSize {
  width = $state(1280);
  height = $state(800);
}
