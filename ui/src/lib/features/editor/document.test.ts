import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, settle } from '../../../../tests/support';
import { fail } from '../../../../tests/fake/core';
import { StringBuffer } from './buffer';
import { Document } from './document.svelte';

const PATH = 'prompts/order.j2';
let b: Bench;

async function open(path = PATH, slug = 'timeline-builder'): Promise<Document> {
  const skill = b.core.find(slug).summary;
  const document = new Document(b.client, { scope: 'account', skillId: skill.id, path }, ({ skill: stored }) => b.catalog.put(stored));
  b.catalog.onDetail((_, detail) => {
    if (detail?.id === skill.id) void document.sync(detail);
  });
  await b.catalog.load(skill);
  await document.load();
  await settle();
  b.core.calls.length = 0;
  return document;
}

function type(document: Document, text: string): void {
  document.attach(new StringBuffer(text));
  document.edited();
}

beforeEach(async () => {
  fakeTimers();
  b = await bench();
});

describe('typing', () => {
  it('marks the file as unsaved, and as saved again when the text is back', async () => {
    const document = await open();
    const text = document.text();
    type(document, `${text}!`);
    expect(document.saveState).toBe('unsaved');
    type(document, text);
    expect(document.saveState).toBe('saved');
  });

  it('keeps a draft within 400 ms of the first keystroke, however long one types', async () => {
    const document = await open();
    for (let count = 1; count <= 10; count += 1) {
      type(document, 'x'.repeat(count));
      await vi.advanceTimersByTimeAsync(100);
    }
    const sent = b.core.callsOf('draft/save').map((call) => (call['text'] as string).length);
    expect(sent[0]).toBeLessThanOrEqual(4);
    expect(sent.length).toBeGreaterThanOrEqual(2);
    await vi.advanceTimersByTimeAsync(400);
    expect(b.core.callsOf('draft/save').at(-1)).toMatchObject({ text: 'xxxxxxxxxx', base_revision: 1, path: PATH });
  });

  it('drops the draft once the text is the saved one again', async () => {
    const document = await open();
    const text = document.text();
    type(document, 'other');
    await vi.advanceTimersByTimeAsync(400);
    expect(b.core.drafts.size).toBe(1);
    type(document, text);
    await vi.advanceTimersByTimeAsync(400);
    expect(b.core.drafts.size).toBe(0);
  });

  it('says when a draft can’t be kept, and tries again', async () => {
    const document = await open();
    b.core.failing.set('draft/save', fail('io', 'disk full'));
    type(document, 'other');
    await vi.advanceTimersByTimeAsync(400);
    expect(document.draft).toBe('failed');
    b.core.failing.clear();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(document.draft).toBe('kept');
    expect(b.core.drafts.size).toBe(1);
  });

  it('checks after a pause and drops a reply about an older text', async () => {
    const document = await open();
    b.core.hold('check/file');
    type(document, '{{ broken');
    await vi.advanceTimersByTimeAsync(200);
    expect(b.core.callsOf('check/file')).toHaveLength(1);
    type(document, 'whole');
    b.core.release('check/file');
    await settle();
    expect(document.diagnostics).toEqual([]);
    type(document, '{{ broken');
    await vi.advanceTimersByTimeAsync(200);
    expect(document.diagnostics).toMatchObject([{ rule: 'prompt/syntax', line: 1 }]);
  });
});

describe('saving', () => {
  it('stores a revision and forgets the draft', async () => {
    const document = await open();
    type(document, 'new text');
    await vi.advanceTimersByTimeAsync(400);
    expect(await document.save()).toBe(true);
    await settle();
    expect(document).toMatchObject({ dirty: false, revision: 2, saveState: 'saved' });
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe('new text');
    expect(b.core.drafts.size).toBe(0);
    expect(document.external).toBeNull();
  });

  it('keeps what was typed while it was saving', async () => {
    const document = await open();
    type(document, 'first');
    b.core.hold('skill/edit');
    const saving = document.save();
    await settle();
    expect(document.saveState).toBe('saving');
    type(document, 'first and second');
    b.core.release('skill/edit');
    await saving;
    await settle();
    expect(document).toMatchObject({ dirty: true, saved: 'first', external: null });
    expect(document.text()).toBe('first and second');
  });

  it('shows what the core says about a refused text', async () => {
    const document = await open();
    const found = { rule: 'assertions/shape', severity: 'error', message: 'bad', hint: null, file: PATH, line: 2, column: 1, end_line: null, end_column: null, pointer: null };
    b.core.failing.set('skill/edit', fail('invalid', 'not valid', { fields: { diagnostics: [found] } }));
    type(document, 'x');
    expect(await document.save()).toBe(false);
    expect(document.saveState).toBe('failed');
    expect(document.diagnostics).toEqual([found]);
  });

  it('takes over the spelling that the core stored', async () => {
    const document = await open();
    type(document, 'sent');
    const skill = b.core.find('timeline-builder');
    b.core.hold('skill/edit');
    const saving = document.save();
    b.core.release('skill/edit');
    await saving;
    // As if the core had patched the text while storing it.
    skill.files.set(PATH, { ...skill.files.get(PATH), text: 'stored' });
    await b.catalog.load(skill.summary, true);
    await settle();
    expect(document.text()).toBe('stored');
    expect(document.dirty).toBe(false);
  });
});

describe('changes made elsewhere', () => {
  it('are shown at once while nothing is unsaved', async () => {
    const document = await open();
    const before = document.replacement;
    b.core.writeElsewhere('timeline-builder', PATH, 'from the command line');
    await settle();
    expect(document.text()).toBe('from the command line');
    expect(document).toMatchObject({ dirty: false, revision: 2, external: null });
    expect(document.replacement).toBe(before + 1);
  });

  it('to another file of the skill only move the revision on', async () => {
    const document = await open();
    type(document, 'mine');
    b.core.writeElsewhere('timeline-builder', 'SKILL.md', 'other');
    await settle();
    expect(document).toMatchObject({ revision: 2, external: null, dirty: true });
    expect(await document.save()).toBe(true);
  });

  it('are passed over when they are older than what is open', async () => {
    const document = await open();
    const before = await b.client.call('skill/get', { skill: document.skillId });
    type(document, 'saved here');
    await document.save();
    type(document, 'saved here, and more');
    await document.sync(before);
    expect(document).toMatchObject({ external: null, revision: 2 });
    expect(document.entry?.sha256).not.toBe(before.entries.find((entry) => entry.path === PATH)?.sha256);
  });

  it('are announced, not taken, while there is unsaved text', async () => {
    const document = await open();
    type(document, 'mine');
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    await settle();
    expect(document.external).toMatchObject({ theirs: 'theirs', revision: 2 });
    expect(document.text()).toBe('mine');
  });

  it('count as saved when both sides wrote the same', async () => {
    const document = await open();
    type(document, 'same');
    b.core.writeElsewhere('timeline-builder', PATH, 'same');
    await settle();
    expect(document).toMatchObject({ dirty: false, external: null, revision: 2 });
  });

  it('can be overwritten', async () => {
    const document = await open();
    type(document, 'mine');
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    await settle();
    expect(await document.keepMine()).toBe(true);
    await settle();
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe('mine');
    expect(document).toMatchObject({ dirty: false, external: null, revision: 3 });
  });

  it('can be taken', async () => {
    const document = await open();
    type(document, 'mine');
    await vi.advanceTimersByTimeAsync(400);
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    await settle();
    await document.takeTheirs();
    await settle();
    expect(document.text()).toBe('theirs');
    expect(document).toMatchObject({ dirty: false, external: null, revision: 2 });
    expect(b.core.drafts.size).toBe(0);
  });

  it('are compared with the text before both', async () => {
    const document = await open();
    const base = document.text();
    type(document, 'mine');
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    await settle();
    document.compare();
    expect(document.conflict).toMatchObject({ base, theirs: 'theirs', mine: 'mine', revision: 2 });
    document.leaveConflict();
    expect(document.conflict).toBeNull();
    expect(document.external?.theirs).toBe('theirs');
  });

  it('are joined with one’s own on request, saved when one saves, and parted again before that', async () => {
    const document = await open();
    const base = document.text();
    type(document, `mine\n${base}`);
    b.core.writeElsewhere('timeline-builder', PATH, `${base}\ntheirs`);
    await settle();
    await document.join(`mine\n${base}\ntheirs`);
    expect(document).toMatchObject({ external: null, dirty: true, revision: 2, joined: { revision: 2 } });
    expect(b.core.find('timeline-builder').revisions).toHaveLength(2);
    // Nothing of it comes back as a change made elsewhere.
    await b.catalog.load({ scope: 'account', id: document.skillId }, true);
    await settle();
    expect(document.external).toBeNull();

    document.unjoin();
    expect(document.text()).toBe(`mine\n${base}`);
    expect(document).toMatchObject({ external: { revision: 2 }, revision: 1, joined: null });

    await document.join(`mine\n${base}\ntheirs`);
    expect(await document.save()).toBe(true);
    expect(document).toMatchObject({ joined: null, external: null, dirty: false, revision: 3 });
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe(`mine\n${base}\ntheirs`);
  });

  it('are announced again when joining is undone in the text: saving that would take them away', async () => {
    const document = await open();
    const base = document.text();
    type(document, `mine\n${base}`);
    b.core.writeElsewhere('timeline-builder', PATH, `${base}\ntheirs`);
    await settle();
    await document.join(`mine\n${base}\ntheirs`);
    type(document, `mine\n${base}`);
    expect(await document.save()).toBe(false);
    expect(document.conflict).toMatchObject({ base, theirs: `${base}\ntheirs`, mine: `mine\n${base}` });
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe(`${base}\ntheirs`);
  });

  it('deleting the file keeps the text, which can be saved again', async () => {
    const document = await open();
    type(document, 'mine');
    b.core.writeElsewhere('timeline-builder', PATH, null);
    await settle();
    expect(document.external).toMatchObject({ theirs: null });
    expect(await document.keepMine()).toBe(true);
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe('mine');
  });
});

describe('a conflict while saving', () => {
  async function conflict(): Promise<Document> {
    const document = await open();
    type(document, 'mine');
    b.core.hold('skill/get');
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    expect(await document.save()).toBe(false);
    return document;
  }

  it('opens with the three texts', async () => {
    const document = await conflict();
    expect(document.conflict).toMatchObject({ theirs: 'theirs', mine: 'mine', revision: 2 });
    expect(document.text()).toBe('mine');
  });

  it('is resolved by a merged text', async () => {
    const document = await conflict();
    expect(await document.keepMine('both')).toBe(true);
    b.core.release('skill/get');
    await settle();
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe('both');
    expect(document).toMatchObject({ conflict: null, external: null, dirty: false });
    expect(document.text()).toBe('both');
  });

  it('is resolved by taking theirs', async () => {
    const document = await conflict();
    await document.takeTheirs();
    b.core.release('skill/get');
    await settle();
    expect(document.text()).toBe('theirs');
    expect(document).toMatchObject({ conflict: null, dirty: false, revision: 2 });
  });
});

describe('a draft from before', () => {
  it('is opened as unsaved text', async () => {
    const first = await open();
    type(first, 'typed before the crash');
    await vi.advanceTimersByTimeAsync(400);
    const again = await open();
    expect(again.text()).toBe('typed before the crash');
    expect(again.dirty).toBe(true);
    expect(again.external).toBeNull();
    expect(await again.save()).toBe(true);
  });

  it('of an older revision announces the change made since', async () => {
    const first = await open();
    const base = first.text();
    type(first, 'typed before the crash');
    await vi.advanceTimersByTimeAsync(400);
    await first.close();
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    await settle();
    const again = await open();
    expect(again.text()).toBe('typed before the crash');
    expect(again.external).toMatchObject({ theirs: 'theirs', revision: 2 });
    again.compare();
    expect(again.conflict).toMatchObject({ base, theirs: 'theirs', mine: 'typed before the crash' });
  });
});

it('says why a file can’t be read', async () => {
  b.core.failing.set('file/read', fail('io', 'permission denied'));
  const document = await open();
  expect(document.status).toBe('failed');
  b.core.failing.clear();
  await document.load();
  expect(document.status).toBe('ready');
});

it('has no text for a binary file', async () => {
  const document = await open('assets/diagram.png', 'consistency-checker');
  expect(document).toMatchObject({ status: 'ready', saved: null, dirty: false });
  expect(b.core.callsOf('check/file')).toHaveLength(0);
});

it('throws unsaved text away and can give it back', async () => {
  const document = await open();
  const saved = document.text();
  type(document, 'mine');
  const lost = await document.discard();
  expect(document.text()).toBe(saved);
  expect(document.dirty).toBe(false);
  document.replace(lost);
  expect(document.text()).toBe('mine');
  expect(document.dirty).toBe(true);
});
