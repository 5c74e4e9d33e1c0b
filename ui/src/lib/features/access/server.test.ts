import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fail, FakeCore, WORKSPACE } from '../../../../tests/fake/core';
import { fakeTimers, flushPromises } from '../../../../tests/support';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';
import { auditLabel, callerLabel, callLabel, LIFETIMES, outcomeLabel, roleLabel, ROLES } from './labels';
import { refresh } from './refresh';
import { tokenState } from './tokens.svelte';

let core: FakeCore;
let app: Services;

beforeEach(async () => {
  fakeTimers();
  core = new FakeCore();
  app = createApp(core);
  await app.lifecycle.start();
  await app.localServer.load();
});

const messages = (): string[] => app.toasts.list.map((toast) => toast.message);
const stored = async (): Promise<unknown> => {
  await vi.advanceTimersByTimeAsync(10);
  await flushPromises();
  return core.settings['server.http'];
};

describe('the server', () => {
  it('is started at its port and stopped', async () => {
    expect(app.localServer.running).toBeNull();
    expect(await app.localServer.start()).toBe(true);
    expect(app.localServer.running?.address).toBe('http://127.0.0.1:4680');
    expect(core.callsOf('server/start')).toEqual([{ port: 4680 }]);
    expect(await app.localServer.stop()).toBe(true);
    expect(app.localServer.running).toBeNull();
  });

  it('says that its port is in use, and starts at another one', async () => {
    core.access.taken.add(4680);
    expect(await app.localServer.start()).toBe(false);
    expect([app.localServer.actionFailure?.hint, app.localServer.running, app.localServer.busy]).toEqual(['choose another port, or 0 for any free one', null, false]);
    app.serverSettings.setPort('0');
    expect(await app.localServer.start()).toBe(true);
    expect([app.localServer.actionFailure, app.localServer.running?.address]).toEqual([null, 'http://127.0.0.1:41234']);
  });

  it('isn’t shown as stopped by an answer that is older than its start', async () => {
    core.hold('server/status');
    const asked = app.localServer.load();
    await flushPromises();
    await app.localServer.start();
    core.access.status = { running: null, failure: null, clients: [], calls: [] };
    core.release('server/status');
    await asked;
    expect(app.localServer.running).not.toBeNull();
  });

  it('serves the workspace of the window that starts it, and can be moved to another one', async () => {
    await app.localServer.start();
    expect([app.localServer.running?.workspace, app.localServer.servesOther]).toEqual([null, false]);
    await app.workspace.open(WORKSPACE);
    await flushPromises();
    expect(app.localServer.servesOther).toBe(true);
    expect(await app.localServer.start()).toBe(false);
    expect(await app.localServer.restart()).toBe(true);
    expect([app.localServer.running?.workspace, app.localServer.servesOther]).toEqual([WORKSPACE, false]);
  });

  it.each(['-1', '65536', 'x', '80.5', '1e3'])('refuses the port %s and keeps the one before', async (text) => {
    app.serverSettings.setPort(text);
    expect(app.serverSettings.portProblem).toContain('Current value: 4680.');
    expect([app.serverSettings.port, await stored()]).toEqual([4680, undefined]);
    app.serverSettings.setPort('8080');
    expect([app.serverSettings.portProblem, app.serverSettings.port]).toEqual(['', 8080]);
  });

  it('stores only what differs from the defaults of the core', async () => {
    const rust = readFileSync(join(import.meta.dirname, '../../../../../src-tauri/crates/app/src/features/server/service.rs'), 'utf8');
    expect(rust).toContain('start_with_app: false, port: 4_680');
    app.serverSettings.setStartsWithApp(true);
    expect(await stored()).toEqual({ start_with_app: true });
    app.serverSettings.setPort(' 0 ');
    expect(await stored()).toEqual({ start_with_app: true, port: 0 });
    app.serverSettings.setPort('');
    app.serverSettings.setStartsWithApp(false);
    expect(await stored()).toBeNull();
  });
});

describe('a token', () => {
  async function create(name: string): Promise<void> {
    app.tokenCreation.start();
    [app.tokenCreation.name, app.tokenCreation.days] = [name, null];
    await app.tokenCreation.create();
    await flushPromises();
  }

  it('shows its secret once', async () => {
    app.tokenCreation.start();
    [app.tokenCreation.name, app.tokenCreation.role, app.tokenCreation.external] = [' ci ', 'viewer', true];
    await app.tokenCreation.create();
    await flushPromises();
    expect(core.callsOf('token/create')).toEqual([{ name: 'ci', role: 'viewer', external: true, days: 90 }]);
    expect(app.tokenCreation.created).toEqual({ name: 'ci', secret: 'inklings_t0_secret' });
    expect(app.tokens.list?.map(({ name }) => name)).toEqual(['ci']);
    app.tokenCreation.close();
    app.tokenCreation.start();
    expect([app.tokenCreation.created, app.tokenCreation.name, app.tokenCreation.external]).toEqual([null, '', false]);
  });

  it('of a dialog that was closed meanwhile isn’t shown', async () => {
    app.tokenCreation.start();
    app.tokenCreation.name = 'ci';
    core.hold('token/create');
    const creating = app.tokenCreation.create();
    await flushPromises();
    app.tokenCreation.close();
    core.release('token/create');
    await creating;
    expect([app.tokenCreation.isOpen, app.tokenCreation.created]).toEqual([false, null]);
  });

  it('can’t have the name of another one', async () => {
    await create('ci');
    await create('ci');
    expect([app.tokenCreation.failure?.code, app.tokenCreation.created, app.tokenCreation.isOpen]).toEqual(['exists', null, true]);
  });

  it('is revoked after a confirmation, and listed after those that are valid', async () => {
    await create('a');
    await create('b');
    const [token] = app.tokens.list ?? [];
    if (!token) throw new Error('no token');
    app.tokens.ask(token);
    app.tokens.close();
    await app.tokens.revoke();
    expect(core.callsOf('token/revoke')).toEqual([]);
    app.tokens.ask(token);
    core.failing.set('token/revoke', fail('busy', 'the database is busy'));
    await app.tokens.revoke();
    expect([app.tokens.revokeFailure?.code, app.tokens.revoking?.name]).toEqual(['busy', 'a']);
    core.failing.clear();
    await app.tokens.revoke();
    expect([app.tokens.revoking, messages(), app.tokens.list?.map(({ name }) => name)]).toEqual([null, ['Revoked a'], ['b', 'a']]);
  });

  it('is valid until it expires or is revoked', () => {
    const at = Date.UTC(2026, 2, 14);
    const iso = (offset: number): string => new Date(at + offset).toISOString();
    expect(tokenState({ revoked_at: null, expires_at: null }, at)).toBe('valid');
    expect(tokenState({ revoked_at: null, expires_at: iso(1) }, at)).toBe('valid');
    expect(tokenState({ revoked_at: null, expires_at: iso(0) }, at)).toBe('expired');
    expect(tokenState({ revoked_at: iso(-5), expires_at: iso(-1) }, at)).toBe('revoked');
  });
});

describe('the page', () => {
  it('asks again while it is visible, until it is left', async () => {
    let visible = true;
    const stop = refresh(app, () => visible);
    await flushPromises();
    const count = (): number => core.callsOf('server/status').length;
    const first = count();
    core.access.call('token:ci', 'skill/list');
    await vi.advanceTimersByTimeAsync(2_000);
    await flushPromises();
    expect([count() - first, app.localServer.status?.calls.length]).toEqual([1, 1]);
    visible = false;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(count() - first).toBe(1);
    visible = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(count() - first).toBe(2);
    stop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(count() - first).toBe(2);
  });

  it('reads tokens and the audit log after a call, and else less often', async () => {
    const stop = refresh(app, () => true);
    await flushPromises();
    expect([core.callsOf('token/list').length, core.callsOf('token/calls').length]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(core.callsOf('token/list')).toHaveLength(1);
    core.access.call('token:ci', 'skill/delete', 403);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(core.callsOf('token/list')).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(core.callsOf('token/list')).toHaveLength(3);
    stop();
  });

  it('keeps what it draws while nothing changes', async () => {
    await app.tokens.load();
    await app.auditLog.load();
    const drawn = [app.localServer.status, app.tokens.list, app.auditLog.list];
    core.access.status = { ...core.access.status };
    await Promise.all([app.localServer.load(), app.tokens.load(), app.auditLog.load()]);
    expect([app.localServer.status, app.tokens.list, app.auditLog.list].every((one, index) => one === drawn[index])).toBe(true);
  });

  it('loads more of the audit log as long as there is more', async () => {
    core.access.audit = Array.from({ length: 150 }, (_, index) => ({ at: new Date(core.now - index).toISOString(), actor: 'token:ci', role: 'editor', operation: 'skill/edit', workspace: '', code: null }));
    await app.auditLog.load();
    expect([app.auditLog.list?.length, app.auditLog.hasMore]).toEqual([20, true]);
    await app.auditLog.loadMore();
    expect([app.auditLog.list?.length, app.auditLog.hasMore]).toEqual([100, true]);
    await app.auditLog.loadMore();
    expect([app.auditLog.list?.length, app.auditLog.hasMore]).toEqual([150, false]);
  });
});

describe('commands', () => {
  const run = async (id: string): Promise<void> => {
    app.commands.run(id);
    await flushPromises();
  };

  it('start the server, copy its address and stop it', async () => {
    await run('access.server.address');
    expect(messages().at(-1)).toBe('The server is off');
    await run('access.server.start');
    expect(messages().at(-1)).toBe('Started the server at http://127.0.0.1:4680');
    await run('access.server.start');
    expect(messages().at(-1)).toBe('The server already runs at http://127.0.0.1:4680');
    await run('access.server.address');
    expect(core.clipboard).toBe('http://127.0.0.1:4680');
    await run('access.server.stop');
    expect([messages().at(-1), app.localServer.running]).toEqual(['Stopped the server', null]);
  });

  it('say why they failed', async () => {
    core.access.taken.add(4680);
    await run('access.server.start');
    expect(app.toasts.list.at(-1)).toMatchObject({ tone: 'error', message: 'Couldn’t start the server: port 4680 is in use by another program' });
    core.failing.set('server/status', fail('notInstalled', 'this program can’t start a server'));
    await run('access.server.stop');
    expect(messages().at(-1)).toBe('Couldn’t load the server’s state: this program can’t start a server');
  });
});

it('labels say who called what, and what came of it', () => {
  expect(['local', 'token:ci', 'mcp:cursor'].map(callerLabel)).toEqual(['You', 'ci', 'cursor']);
  expect(callLabel({ method: 'tools/list', target: null })).toBe('tools/list');
  expect(callLabel({ method: 'POST', target: 'skill/list' })).toBe('POST skill/list');
  expect([{ status: 403, failed: true }, { status: null, failed: true }, { status: null, failed: false }].map(outcomeLabel)).toEqual(['403', 'Failed', 'OK']);
  expect([null, 'forbidden', 'revisionConflict'].map((code) => auditLabel({ code }))).toEqual(['Done', 'Refused', 'Failed: revision conflict']);
  expect([...ROLES.map(({ id }) => id), 'guest', 'tenant_admin', 'strange'].map(roleLabel)).toEqual(['Viewer', 'Member', 'Editor', 'Administrator', 'Guest', 'Tenant administrator', 'strange']);
  expect(new Set(LIFETIMES.map(({ days }) => days)).size).toBe(LIFETIMES.length);
});
