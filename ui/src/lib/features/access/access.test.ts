import { beforeEach, describe, expect, it } from 'vitest';
import { fail, FakeCore, WORKSPACE } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Client as Clients } from '$lib/api/generated';
import type { Services } from '$lib/workbench/services';
import { changesOf, scopeLabel, stateLabel } from './labels';

const FILE = '/home/ada/.claude.json';

let core: FakeCore;
let app: Services;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await app.aiClients.load();
});

const messages = (): string[] => app.toasts.list.map((toast) => toast.message);

function claude(scope: Clients.ClientScope = 'user'): { client: Clients.ClientEntry; file: Clients.ClientFile } {
  const client = app.aiClients.list?.find(({ id }) => id === 'claude-code');
  const file = client?.files.find((one) => one.scope === scope);
  if (!client || !file) throw new Error('no file');
  return { client, file };
}

async function start(change: Clients.ClientChange, scope: Clients.ClientScope = 'user'): Promise<void> {
  const { client, file } = claude(scope);
  await app.clientChange.start(client, file, change);
}

async function set(state: Clients.ClientState, more: Partial<Clients.ClientFile> = {}): Promise<void> {
  core.aiClients.files.set(FILE, { state, role: null, reason: null, ...more });
  await app.aiClients.load();
}

describe('a client', () => {
  it('is connected after its change was shown, and disconnected', async () => {
    await start('install');
    expect(app.clientChange.preview?.diff).toContain('+  "inklings"');
    expect(core.callsOf('client/install')).toEqual([]);
    await app.clientChange.apply();
    await flushPromises();
    expect([claude().file.state, app.clientChange.subject, messages()]).toEqual(['current', null, ['Connected Claude Code']]);
    await start('uninstall');
    await app.clientChange.apply();
    await flushPromises();
    expect([claude().file.state, messages().at(-1)]).toEqual(['none', 'Disconnected Claude Code']);
  });

  it('isn’t changed if the dialog is canceled, or before its change is shown', async () => {
    core.hold('client/preview');
    void start('install');
    await flushPromises();
    await app.clientChange.apply();
    app.clientChange.close();
    core.release('client/preview');
    await flushPromises();
    expect([app.clientChange.preview, core.callsOf('client/install'), messages()]).toEqual([null, [], []]);
  });

  it('keeps its role when it is updated', async () => {
    await set('outdated', { role: 'viewer' });
    await start('install');
    await app.clientChange.apply();
    expect(core.callsOf('client/install')).toEqual([{ client: 'claude-code', scope: 'user', role: 'viewer', replace: false }]);
    await flushPromises();
    expect(stateLabel(claude().file)).toBe('Connected as viewer');
  });

  it('has an entry of somebody else replaced', async () => {
    await set('foreign');
    await start('install');
    await app.clientChange.apply();
    expect(core.callsOf('client/install')).toMatchObject([{ replace: true }]);
  });

  it('shows why it can’t be changed, and tries again', async () => {
    await start('install');
    core.failing.set('client/install', fail('busy', 'the file was changed by another program'));
    await app.clientChange.apply();
    expect([app.clientChange.failure?.code, app.clientChange.preview, app.clientChange.busy]).toEqual(['busy', null, false]);
    core.failing.clear();
    await app.clientChange.load();
    await app.clientChange.apply();
    await flushPromises();
    expect([app.clientChange.failure, claude().file.state]).toEqual([null, 'current']);
  });
});

describe('the list', () => {
  it('has the files of the open workspace', async () => {
    expect(claude().client.files.map(({ scope }) => scopeLabel(scope))).toEqual(['All projects']);
    await app.workspace.open(WORKSPACE);
    await flushPromises();
    expect(app.aiClients.list).toBeNull();
    await app.aiClients.load();
    expect(claude('project').file.path).toBe(`${WORKSPACE}/.mcp.json`);
    await start('install', 'project');
    await app.clientChange.apply();
    expect(core.callsOf('client/install')).toMatchObject([{ scope: 'project' }]);
  });

  it('says that it can’t be read, or that the program is missing', async () => {
    core.failing.set('client/list', fail('io', 'the disk failed'));
    await app.aiClients.load();
    expect(app.aiClients.failure?.message).toBe('the disk failed');
    core.failing.clear();
    core.aiClients.program = null;
    await app.aiClients.load();
    expect([app.aiClients.failure, app.aiClients.canConnect]).toEqual([null, false]);
  });

  it('is opened by a command', () => {
    app.commands.run('access.clients');
    expect([app.layout.view, app.settingsPage.section]).toEqual(['settings', 'access']);
  });
});

it('every state has a label and its changes', () => {
  const states = ['none', 'current', 'outdated', 'foreign', 'broken'] as const;
  expect(states.map((state) => changesOf(state).map(({ label }) => label))).toEqual([['Connect'], ['Disconnect'], ['Update', 'Disconnect'], ['Replace'], []]);
  const labels = states.map((state) => stateLabel({ state, role: null, reason: state === 'broken' ? 'line 3: expected comma' : null }));
  expect(new Set(labels).size).toBe(states.length);
  expect(labels.at(-1)).toBe('Can’t be changed: Line 3: expected comma.');
});
