// A screen that nobody looks at.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Helper } from './processes.mjs';
import { until } from './wait.mjs';

/** Its pointer rests in the middle, and so in every window: without a window manager that is where the keyboard is. */
export const SCREEN = { width: 1_600, height: 1_000 };

/** Starts an X server on a display of its own choice. */
export async function startDisplay() {
  const memory = await mkdtemp(join(tmpdir(), 'inklings-screen-'));
  const server = new Helper('Xvfb', ['-displayfd', '3', '-screen', '0', `${SCREEN.width}x${SCREEN.height}x24`, '-nocursor', '-fbdir', memory, '-nolisten', 'tcp', '-noreset'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let number = '';
  server.child.stdio[3]?.on('data', (data) => (number += data));
  await until(() => {
    if (!server.running) throw new Error(`Xvfb ended: ${server.output}`);
    return number.includes('\n');
  }, 'an X display');
  return {
    name: `:${number.trim()}`,
    /** The file that holds what the screen shows. */
    screen: join(memory, 'Xvfb_screen0'),
    async end() {
      await server.end();
      await rm(memory, { recursive: true, force: true });
    },
  };
}
