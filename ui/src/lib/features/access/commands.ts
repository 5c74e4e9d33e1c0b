import type { Command } from '$lib/commands';
import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'clipboard' | 'localServer' | 'notifications' | 'serverView' | 'settingsPage' | 'toasts'>;

const KEYWORDS = 'http mcp serve token api access';

export function accessCommands({ clipboard, localServer, notifications, serverView, settingsPage, toasts }: Needs): Command[] {
  const show = (): void => {
    settingsPage.open('access');
    serverView.send();
  };
  const settings = { label: 'Settings', run: show };

  /** Another window may have started or stopped it. Null if its state is unknown, which was reported. */
  async function current(): Promise<{ address: string | null } | null> {
    await localServer.load();
    if (localServer.failure) notifications.report('Couldn’t load the server’s state', localServer.failure);
    return localServer.failure ? null : { address: localServer.running?.address ?? null };
  }

  async function start(): Promise<void> {
    const before = await current();
    if (before === null) return;
    if (before.address === null && !(await localServer.start())) {
      notifications.reportFailure('Couldn’t start the server', localServer.actionFailure);
      return;
    }
    const address = localServer.running?.address ?? '';
    toasts.show(before.address === null ? `Started the server at ${address}` : `The server already runs at ${address}`, { actions: [{ label: 'Copy address', run: () => clipboard.copy(address, 'the address') }, settings] });
  }

  async function stop(): Promise<void> {
    const before = await current();
    if (before === null) return;
    if (before.address === null) toasts.show('The server is off');
    else if (await localServer.stop()) toasts.show('Stopped the server', { tone: 'ok' });
    else notifications.reportFailure('Couldn’t stop the server', localServer.actionFailure);
  }

  async function copyAddress(): Promise<void> {
    const found = await current();
    if (found?.address) await clipboard.copy(found.address, 'the address');
    else if (found) toasts.show('The server is off', { actions: [{ label: 'Start server', run: start }] });
  }

  return [
    { id: 'access.clients', group: 'View', title: 'Connect AI clients', inGuide: true, keywords: 'mcp server claude codex cursor vs code gemini install', run: () => settingsPage.open('access') },
    { id: 'access.server', group: 'View', title: 'Show server and tokens', inGuide: true, keywords: KEYWORDS, run: show },
    { id: 'access.server.start', group: 'Window', title: 'Start server', keywords: KEYWORDS, run: start },
    { id: 'access.server.stop', group: 'Window', title: 'Stop server', keywords: KEYWORDS, run: stop },
    { id: 'access.server.address', group: 'Window', title: 'Copy server address', keywords: KEYWORDS, run: copyAddress },
  ];
}
