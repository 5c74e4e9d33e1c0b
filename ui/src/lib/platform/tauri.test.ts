import { beforeEach, expect, it, vi } from 'vitest';
import { tauriPlatform } from './tauri';

interface Invoked {
  command: string;
  args: Record<string, unknown>;
}

const invoked: Invoked[] = [];

vi.mock('@tauri-apps/api/core', () => ({
  Channel: class {
    onmessage: unknown = null;
  },
  invoke: (command: string, args: Record<string, unknown>) => {
    invoked.push({ command, args });
    return Promise.resolve('reply');
  },
}));
vi.mock('@tauri-apps/api/event', () => ({ listen: () => Promise.resolve(() => undefined) }));

beforeEach(() => {
  invoked.length = 0;
});

it('hands a watched call a channel of its own, and stops it by its name', async () => {
  const far: unknown[] = [];
  const platform = tauriPlatform();
  await expect(platform.rpcWithProgress('skill/import', { paths: [] }, '/notes', 'call-1', (progress) => far.push(progress))).resolves.toBe('reply');
  const [{ command, args }] = invoked as [Invoked];
  expect({ command, ...args, progress: null }).toEqual({ command: 'rpc_with_progress', name: 'skill/import', params: { paths: [] }, workspace: '/notes', call: 'call-1', progress: null });
  (args['progress'] as { onmessage: (message: unknown) => void }).onmessage({ done: 1, total: null });
  expect(far).toEqual([{ done: 1, total: null }]);
  await platform.rpcCancel('call-1');
  expect(invoked[1]).toEqual({ command: 'rpc_cancel', args: { call: 'call-1' } });
});
