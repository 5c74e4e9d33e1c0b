import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { onMachine } from '../harness/studio.mjs';
import { until } from '../harness/wait.mjs';

/** @typedef {import('../harness/studio.mjs').Studio} Studio */

/** @param {string} name */
const token = (name) => `[data-testid="token"][data-token="${name}"]`;

/** A port that another program uses, until it is given back. */
async function takenPort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(null)));
  const address = server.address();
  assert(typeof address === 'object' && address);
  return { port: address.port, giveBack: () => new Promise((done) => server.close(done)) };
}

/** @param {string} address @param {string} secret */
const listSkills = (address, secret) =>
  fetch(`${address}/api/operations/skill/list`, { method: 'POST', headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }, body: '{}' });

/** @param {Studio} studio @param {string} text */
async function setPort(studio, text) {
  await (await studio.one('server-port')).click();
  await studio.press('Ctrl+A');
  await studio.type(text);
  await studio.press('Tab');
}

test('a program calls the server with a token, is listed, and is refused once the token is revoked', onMachine(async (machine) => {
  const studio = await machine.start();
  const taken = await takenPort();
  await studio.run('Show server and tokens');
  await studio.shows('server-state', 'Off');
  await studio.one('no-tokens');
  await studio.shows('no-callers', 'The server is off.');
  await setPort(studio, String(taken.port));
  await (await studio.one('server-switch')).click();
  await studio.shows('server', `Port ${taken.port} is in use by another program.`);
  assert.equal(await studio.count('[data-testid="server-switch"]:checked'), 0);
  await studio.pictures('server-port-in-use');
  await taken.giveBack();
  await (await studio.one('server-switch')).click();
  await studio.shows('server-address', `http://127.0.0.1:${taken.port}`);
  await studio.shows('server-state', 'Running');
  await studio.shows('no-callers', 'No program has called yet.');
  const address = await studio.words('[data-testid="server-address"]');
  await studio.button('Copy the address');
  await studio.shows('toast', 'Copied the address');

  await studio.button('New token');
  await studio.one('token-form');
  await studio.type('ci');
  await studio.pictures('new-token');
  await (await studio.find('[data-testid="token-form"] input[value="viewer"]')).click();
  await studio.button('Create token');
  await studio.focused('token-secret');
  const secret = await studio.browser.execute(() => /** @type {HTMLInputElement | null} */ (document.querySelector('[data-testid="secret"]'))?.value ?? '');
  assert.match(secret, /^inklings_/);
  await studio.pictures('token-secret');
  await studio.button('Done');
  await studio.noDialog();
  await studio.find(`${token('ci')}[data-state="valid"]`);
  assert.doesNotMatch(await studio.words('body'), new RegExp(secret));

  const listed = await listSkills(address, secret);
  assert.equal(listed.status, 200);
  const { skills } = /** @type {{ skills: unknown[] }} */ (await listed.json());
  assert(skills.length > 0);
  const refused = await fetch(`${address}/api/operations/settings/get`, { method: 'POST', headers: { authorization: `Bearer ${secret}` } });
  assert.equal(refused.status, 403);
  // The page shows it by itself.
  await studio.shows('caller', /node[^]*ci[^]*HTTP[^]*2/);
  await studio.shows('server-call', /POST skill\/list[^]*ci[^]*200/);
  await studio.shows('server-call', /POST settings\/get[^]*ci[^]*403/);
  await studio.shows('audit-entry', /settings\/get[^]*ci[^]*Viewer[^]*Refused/);
  await studio.shows('token', /ci[^]*Viewer[^]*just now/);
  for (const part of ['server', 'tokens', 'audit']) {
    await studio.browser.execute((id) => document.querySelector(`[data-testid="${id}"]`)?.scrollIntoView(), part);
    await studio.pictures(`access-${part}`);
  }

  await studio.button('Revoke ci');
  await studio.one('revoke-token');
  await studio.pictures('revoke-token');
  await studio.button('Revoke ci', '[data-testid="revoke-token"] footer');
  await studio.find(`${token('ci')}[data-state="revoked"]`);
  // What is made elsewhere is listed, too.
  await studio.call('token/create', { name: 'partner with a rather long name', role: 'system_admin', external: true, days: 1 });
  await studio.shows('token', /partner with a rather long name\s*Summaries only/);
  await studio.pictures('tokens-revoked');
  assert.equal((await listSkills(address, secret)).status, 401);

  await (await studio.one('server-switch')).click();
  await studio.shows('server-state', 'Off');
  await assert.rejects(listSkills(address, secret));
  await studio.run('Start server');
  await studio.shows('toast', `Started the server at ${address}`);
  assert.equal((await listSkills(address, secret)).status, 401);
  await studio.run('Stop server');
  await studio.shows('toast', 'Stopped the server');
}));

test('the server is started with the app, and ends with it', onMachine(async (machine) => {
  let studio = await machine.start();
  await studio.run('Show server and tokens');
  await setPort(studio, '0');
  await (await studio.one('server-autostart')).click();
  await until(async () => {
    const { values } = await studio.call('settings/get', {});
    return values['server.http']?.start_with_app === true && values['server.http'].port === 0;
  }, 'the setting to be stored');
  await studio.window.close();
  studio = await machine.start();
  const running = async () => (await studio.call('server/status', {})).running;
  await until(async () => (await running()) !== null, 'the server to be started with the app');
  const { address } = await running();
  assert.equal((await fetch(`${address}/api/health`)).status, 200);
  await studio.window.close();
  await assert.rejects(fetch(`${address}/api/health`));
}));
