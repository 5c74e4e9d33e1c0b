import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Chat } from '$lib/api/generated';
import { createApp } from '$lib/app/createApp';
import type { Services } from '$lib/workbench/services';
import { fail, FakeCore } from '../../../../tests/fake/core';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../tests/support';
import { attachmentsOf, refusalOf } from './attachments';
import { ChatList } from './chatList.svelte';
import { Completion } from './completion.svelte';
import { Conversation } from './conversation.svelte';
import { mayBeAllowedForGood, toolDetails, toolLabel } from './labels';
import { Notes } from './notes.svelte';
import { markdownFileOf, skillFileOf } from './skillText';

const text = (said: string, last = true): Chat.ChatStep => ({ kind: 'text', round: 0, text: said, last });
const tool = (status: Chat.ToolStatus): Chat.ChatStep => ({
  kind: 'tool', round: 0, call: { id: 'c', name: 'run_skill', arguments: { name: 'tea' } }, status, preview: { summary: 'Run the skill tea', skill: null, files: [], gates: [] }, result: null, change: null, run: null, proposal: null,
});
const message = (said: string): { text: string; attachments: Chat.Attachment[]; skill: string | null } => ({ text: said, attachments: [], skill: null });

let b: Bench;

beforeEach(async () => {
  fakeTimers();
  b = await bench();
});

const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await flushPromises();
};

describe('a conversation', () => {
  let conversation: Conversation;
  let session: string;

  beforeEach(async () => {
    session = (await b.client.call('chat/create', {})).id;
    conversation = new Conversation(b.client, b.feed);
    await conversation.open(session);
  });

  const shown = (): string[] => conversation.detail?.messages.map((one) => one.text || conversation.stepsOf(one).map((step) => (step.kind === 'text' ? step.text : step.kind)).join()) ?? [];

  it('shows messages, and keeps versions of them', async () => {
    b.core.chats.next = { steps: [text('Four.')], status: 'done' };
    expect(await conversation.send(message('2 + 2'))).toBe(true);
    expect(shown()).toEqual(['2 + 2', 'Four.']);
    b.core.chats.next.steps = [text('4')];
    await conversation.retry();
    expect([shown(), conversation.last?.versions.length]).toEqual([['2 + 2', '4'], 2]);
    await conversation.select(conversation.last?.versions[0] ?? '');
    expect(shown()).toEqual(['2 + 2', 'Four.']);
    await conversation.send(message('2 + 3'), conversation.detail?.messages[0]?.id);
    expect([shown(), conversation.detail?.messages[0]?.versions.length]).toEqual([['2 + 3', '4'], 2]);
  });

  it('asks for permissions and goes on', async () => {
    b.core.chats.next = { steps: [tool('asked')], status: 'waiting' };
    await conversation.send(message('run it'));
    expect([conversation.last?.status, conversation.running]).toEqual(['waiting', false]);
    b.core.chats.next = { steps: [text('Done.')], status: 'done' };
    await conversation.permit('c', 'session');
    expect(shown()).toEqual(['run it', 'tool,Done.']);
    expect(b.core.callsOf('chat/permit')).toEqual([{ session, call: 'c', permit: 'session' }]);
  });

  it('shows what arrives, once a frame and in order', async () => {
    b.core.chats.next = { steps: [], status: 'running' };
    await b.client.call('chat/send', { session, text: 'tell' });
    b.core.held.set('chat/send', []);
    void conversation.send(message('held back'));
    const answer = b.core.chats.messages.at(-1)?.id ?? '';
    const emit = (what: Partial<Chat.ChatEvent>): void => b.core.chats.emit({ session, message: answer, ...what } as Chat.ChatEvent);
    emit({ event: 'began' });
    // Before the beginning was read.
    emit({ event: 'text', position: 0, text: 'It was ' });
    await flushPromises();
    emit({ event: 'text', position: 0, text: 'night.' });
    b.core.chats.emit({ session: 'another', message: answer, event: 'text', position: 0, text: 'no' });
    await pass(50);
    expect(shown()).toEqual(['tell', 'It was night.']);
    emit({ event: 'step', position: 0, step: text('It was night. ') });
    emit({ event: 'step', position: 1, step: tool('running') });
    await pass(50);
    expect(shown()).toEqual(['tell', 'It was night. ,tool']);
  });

  it('follows what others do to the chat while an answer is written', async () => {
    b.core.held.set('chat/send', []);
    void conversation.send(message('held back'));
    await flushPromises();
    await b.client.call('chat/update', { session, title: 'Tea' });
    b.core.emit('chat', [session], 'account', 'tool');
    await pass(400);
    expect([conversation.detail?.session.title, conversation.running]).toEqual(['Tea', true]);
    await b.client.call('chat/delete', { session });
    b.core.emit('chat', [session], 'account', 'tool');
    await pass(400);
    expect([conversation.failure?.message, conversation.running]).toEqual(['this chat was deleted', false]);
    expect(b.core.callsOf('chat/stop')).toEqual([{ session }]);
    b.core.release('chat/send');
    await flushPromises();
    expect(conversation.failure?.message).toBe('this chat was deleted');
  });

  it('keeps what can’t be sent, and says why', async () => {
    b.core.failing.set('chat/send', fail('busy', 'an answer is being written'));
    expect(await conversation.send(message('again'))).toBe(false);
    expect([conversation.failure?.code, conversation.running, shown()]).toEqual(['busy', false, []]);
  });
});

it('the list follows changes and a query', async () => {
  const list = new ChatList(b.client, b.feed);
  await list.load();
  await b.client.call('chat/create', {});
  b.core.emit('chat', ['chat-1'], 'account', 'window');
  await pass(300);
  expect(list.sessions.map((one) => one.title)).toEqual(['New chat']);
  list.search('tea');
  await pass(500);
  expect(list.sessions).toEqual([]);
  expect(b.core.callsOf('chat/list').at(-1)).toEqual({ text: 'tea' });
});

describe('completion', () => {
  it('offers skills after a slash at the beginning only', async () => {
    const completion = new Completion(b.client);
    for (const before of ['a /link', '/link auditor', 'a@b.org', '@page']) {
      completion.type(before);
      expect(completion.kind, before).toBeNull();
    }
    completion.type('/link');
    await pass(200);
    const wanted = completion.suggestions.find((one) => one.id === 'link-auditor');
    expect(wanted?.label).toBeTruthy();
    const accepted = await completion.accept(message('/link check my notes'), 5, wanted);
    expect(accepted).toEqual({ text: 'check my notes', attachments: [], skill: 'link-auditor' });
    expect(completion.kind).toBeNull();
  });

  it('attaches a page after an at sign', async () => {
    const [slug, title] = ['places/stair', 'Gull Stair'];
    b.core.pages.put(slug, title, 'Steep.');
    b.client.workspace = '/home/ada/notes';
    const completion = new Completion(b.client);
    completion.type('see @gull');
    await pass(200);
    expect(completion.suggestions.map((one) => one.id)).toContain(slug);
    const accepted = await completion.accept(message('see @gull'), 9, completion.suggestions.find((one) => one.id === slug));
    expect([accepted.text, accepted.attachments.map((one) => one.name)]).toEqual([`see ${title} `, [title]]);
  });
});

it('only text files are attached, and the message says why others aren’t', async () => {
  const { attachments, refused } = await attachmentsOf([new File(['größe'], 'a.md'), new File([new Uint8Array([0xff, 0])], 'b.png'), new File(['x'.repeat(300_000)], 'c.txt')]);
  expect(attachments).toEqual([{ name: 'a.md', text: 'größe' }]);
  expect(refused).toEqual([{ name: 'b.png', reason: 'binary' }, { name: 'c.txt', reason: 'size' }]);
  expect(refusalOf(refused)).toEqual(['Couldn’t attach b.png, c.txt', { tone: 'error', hint: 'Only text files can be attached. Files of more than 256 KiB can’t be attached. Attach a part of them.' }]);
});

describe('in the window', () => {
  let app: Services;
  let core: FakeCore;

  beforeEach(async () => {
    core = new FakeCore();
    app = createApp(core);
    await app.lifecycle.start();
    await app.desktopDrop.watch(() => false);
    await flushPromises();
  });

  it('files of the desktop are attached where they are dropped on the conversation, and elsewhere they aren’t', async () => {
    const element = { getBoundingClientRect: () => ({ left: 100, right: 500, top: 0, bottom: 300 }) } as Element;
    const hovers: boolean[] = [];
    const remove = app.desktopDrop.addZone({ element, hover: (over) => hovers.push(over), drop: (paths) => void app.chatAttachments.addPaths(paths) });
    const at = (x: number, paths?: string[]): void => core.dropDesktop(paths ? { kind: 'drop', x, y: 20, paths } : { kind: 'over', x, y: 20 });
    for (const x of [99, 100, 499, 500, 200]) at(x);
    at(200, ['/home/ada/tea.md', '/home/ada/pictures', '/home/ada/photo.jpg']);
    await flushPromises();
    expect(hovers).toEqual([true, false, true, false]);
    expect(app.tree.drag.active).toBe(false);
    expect(app.chat.draft.attachments.map((one) => one.name)).toEqual(['tea.md']);
    expect(app.toasts.list.map(({ message, hint }) => [message, hint])).toEqual([['Couldn’t attach pictures, photo.jpg', 'Folders can’t be attached. Attach the files in them. Only text files can be attached.']]);
    remove();
    at(200, ['/home/ada/more.md']);
    await flushPromises();
    expect(core.callsOf('chat/attach')).toHaveLength(1);
  });

  it('an agent is chosen before the first message, and changed later', async () => {
    for (const name of ['auditor', 'writer']) await app.client.call('agent/create', { name });
    app.chat.agent.ask();
    await flushPromises();
    expect(app.chat.agent.pick.choices.map((one) => [one.label, one.isCurrent])).toEqual([['No agent', true], ['auditor', false], ['writer', false]]);
    app.chat.agent.pick.query = 'wri';
    expect(app.chat.agent.pick.choices.map((one) => one.agent)).toEqual(['writer']);
    await app.chat.agent.choose('writer');
    await app.chat.send(null, message('hello'));
    expect([app.chat.agent.name, core.callsOf('chat/create')]).toEqual(['writer', [{ agent: 'writer' }]]);
    await app.chat.agent.choose(null);
    expect(app.chat.agent.name).toBeNull();
    app.chat.start({}, 'auditor');
    expect(app.chat.agent.name).toBe('auditor');
    app.chat.start();
    expect(app.chat.agent.name).toBeNull();
  });

  it('a message that was sent doesn’t return to the input when its chat is deleted', async () => {
    await app.chat.send(null, message('first'));
    const { session } = app.chat;
    if (session === null) throw new Error('no chat');
    core.hold('chat/send');
    const sent = app.chat.send(null, message('second'));
    await flushPromises();
    core.chats.emit({ session, message: 'message-9', event: 'began' });
    await app.client.call('chat/delete', { session });
    core.release('chat/send');
    await sent;
    expect(app.chat.draft.text).toBe('');
    // Without a chat to store it in, it isn’t lost.
    await app.chat.send(null, message('third'));
    expect(app.chat.draft.text).toBe('third');
  });

  it('what is typed is stored by chat and workspace, without a pause in typing', async () => {
    for (const said of ['W', 'Wh', 'Whe', 'When', 'When ', 'When d']) {
      app.chat.draft = message(said);
      await pass(100);
    }
    const stored = (): unknown => core.settings['ui.typed-chat'];
    expect(stored()).toEqual({ '': message('When') });
    await app.workspace.open('/home/ada/notes');
    expect([app.chat.draft.text, stored()]).toEqual(['', { '': message('When d') }]);
    await app.workspace.close();
    expect(app.chat.draft.text).toBe('When d');
    await app.chat.send();
    await pass(500);
    expect([app.chat.draft.text, stored()]).toEqual(['', null]);
  });

  it('a Markdown file of an answer is imported as a skill', async () => {
    const file = markdownFileOf('Like this:\n\n```md\n---\nname: tea-times\ndescription: Tea.\n---\n# Tea\n\n```js\nbrew()\n```\n```\n\nShall I?');
    expect(file?.name).toBe('tea-times.md');
    expect(['```js\nconst a = 1;\n```', 'no code'].map(markdownFileOf)).toEqual([null, null]);
    expect(markdownFileOf('~~~markdown\n# Größe: Black tea\n~~~')).toEqual({ name: 'gr-e-black-tea.md', text: '# Größe: Black tea\n' });
    const attachment = { name: 'tea.md', text: '# Tea\n' };
    expect([attachment, { name: 'tea.md', text: '---\nname: tea-times\n---\n' }].map((one) => skillFileOf(one).name)).toEqual(['tea.md', 'tea-times.md']);
    await app.importer.start([], 'account', { texts: [attachment] });
    expect(app.importer.paths).toEqual(['tea.md']);
    await app.importer.apply();
    expect(core.callsOf('skill/import')).toEqual([{ texts: [attachment], scope: 'account', dry_run: true }, { texts: [attachment], scope: 'account', dry_run: false }]);
    app.importer.close();
    await app.importer.start(['/home/ada/skills'], 'account');
    expect(core.callsOf('skill/import').at(-1)).toEqual({ paths: ['/home/ada/skills'], scope: 'account', dry_run: true });
  });
});

it('tools are said in words, and made-up ones as they are', () => {
  expect(toolLabel({ id: '', name: 'update_skill', arguments: { name: 'tea' } })).toBe('Change the skill tea');
  expect(toolLabel({ id: '', name: 'rm', arguments: {} })).toBe('Call rm');
  const write = (operation: string): Chat.ToolCall => ({ id: '', name: 'skill_write', arguments: { operation, name: 'tea', source: 'coffee' } });
  expect(['delete', 'merge', 'dependents', 'x'].map((operation) => toolLabel(write(operation)))).toEqual(['Delete the skill tea', 'Merge the skill coffee into tea', 'List the skills that need tea', 'Change the skill tea']);
  expect(['delete', 'merge', 'update'].map((operation) => mayBeAllowedForGood(write(operation)))).toEqual([false, false, true]);
  const step = { ...tool('done'), result: '{"a":1}' } as Extract<Chat.ChatStep, { kind: 'tool' }>;
  expect(toolDetails(step)).toContain('"a": 1');
  expect(toolDetails({ ...step, call: { ...step.call, invalid_arguments: '{"b":' } })).toContain('{"b":');
});

describe('notes', () => {
  it('are saved while one types without a pause', async () => {
    const notes = new Notes(b.client);
    await notes.load();
    for (let count = 1; count <= 8; count += 1) {
      notes.type('account', 'x'.repeat(count));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(b.core.callsOf('note/set').map((call) => call['text'])).toEqual(['xxxx', 'xxxxxxxx']);
  });

  it('of a workspace that were refused are still there after another one was open', async () => {
    const notes = new Notes(b.client);
    b.client.workspace = '/home/ada/notes';
    b.core.failing.set('note/set', fail('limit', 'too long'));
    await notes.load();
    notes.type('workspace', 'x');
    await notes.save();
    b.client.workspace = null;
    notes.reset();
    await flushPromises();
    expect([notes.text('account'), notes.text('workspace')]).toEqual(['', null]);
    b.client.workspace = '/home/ada/notes';
    notes.reset();
    await flushPromises();
    expect([notes.text('workspace'), notes.failure?.code]).toEqual(['x', 'limit']);
  });

  it('are saved soon after typing, and a refused text stays', async () => {
    const notes = new Notes(b.client);
    await notes.load();
    notes.type('account', 'Write dates as 2026-11-25.');
    await vi.advanceTimersByTimeAsync(700);
    await flushPromises();
    expect(b.core.callsOf('note/set')).toEqual([{ scope: 'account', text: 'Write dates as 2026-11-25.' }]);
    expect(notes.notes?.account).toBe('Write dates as 2026-11-25.');
    b.core.failing.set('note/set', fail('limit', 'too long'));
    notes.type('account', 'x');
    await notes.save();
    await notes.load();
    expect([notes.failure?.code, notes.notes?.account, notes.text('account')]).toEqual(['limit', 'Write dates as 2026-11-25.', 'x']);
    b.core.failing.clear();
    await notes.save();
    expect([notes.failure, notes.notes?.account]).toEqual([null, 'x']);
  });
});
