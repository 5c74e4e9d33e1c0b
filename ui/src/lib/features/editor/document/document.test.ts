import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../../tests/support';
import { fail } from '../../../../../tests/fake/core';
import { StringBuffer } from './buffer';
import { Document } from './document.svelte';
import { discardChanges, keepOurs, takeTheirs } from './resolution';

const PATH = 'prompts/order.j2';
let b: Bench;

async function open(path = PATH, slug = 'timeline-builder'): Promise<Document> {
  const skill = b.core.find(slug).summary;
  const document = new Document(b.client, { scope: 'account', skillId: skill.id, path }, { onSave: ({ skill: stored }) => b.catalog.details.put(stored) });
  b.catalog.details.onChange((_, detail) => {
    if (detail?.id === skill.id) void document.sync.apply(detail);
  });
  await b.catalog.details.load(skill);
  await document.load();
  await flushPromises();
  b.core.calls.length = 0;
  return document;
}

function type(document: Document, text: string): void {
  document.content.attach(new StringBuffer(text));
  document.content.edited();
}

beforeEach(async () => {
  fakeTimers();
  b = await bench();
});

describe('typing', () => {
  it('marks the file as unsaved, and as saved again when the text is back', async () => {
    const document = await open();
    const text = document.content.text();
    type(document, `${text}!`);
    expect(document.sync.saveState).toBe('unsaved');
    type(document, text);
    expect(document.sync.saveState).toBe('saved');
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
    const text = document.content.text();
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
    expect(document.draft.state).toBe('failed');
    b.core.failing.clear();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(document.draft.state).toBe('kept');
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
    await flushPromises();
    expect(document.diagnostics.list).toEqual([]);
    type(document, '{{ broken');
    await vi.advanceTimersByTimeAsync(200);
    expect(document.diagnostics.list).toMatchObject([{ rule: 'prompt/syntax', line: 1 }]);
  });
});

describe('saving', () => {
  it('stores a revision and forgets the draft', async () => {
    const document = await open();
    type(document, 'new text');
    await vi.advanceTimersByTimeAsync(400);
    expect(await document.sync.save()).toBe(true);
    await flushPromises();
    expect(document).toMatchObject({ content: { dirty: false }, file: { revision: 2 }, sync: { saveState: 'saved' } });
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe('new text');
    expect(b.core.drafts.size).toBe(0);
    expect(document.conflict.external).toBeNull();
  });

  it('keeps what was typed while it was saving', async () => {
    const document = await open();
    type(document, 'first');
    b.core.hold('skill/edit');
    const saving = document.sync.save();
    await flushPromises();
    expect(document.sync.saveState).toBe('saving');
    type(document, 'first and second');
    b.core.release('skill/edit');
    await saving;
    await flushPromises();
    expect(document).toMatchObject({ content: { dirty: true }, file: { text: 'first' }, conflict: { external: null } });
    expect(document.content.text()).toBe('first and second');
  });

  it('shows what the core says about a refused text', async () => {
    const document = await open();
    const found = { rule: 'assertions/shape', severity: 'error', message: 'bad', hint: null, file: PATH, line: 2, column: 1, end_line: null, end_column: null, pointer: null };
    b.core.failing.set('skill/edit', fail('invalid', 'not valid', { fields: { diagnostics: [found] } }));
    type(document, 'x');
    expect(await document.sync.save()).toBe(false);
    expect(document.sync.saveState).toBe('failed');
    expect(document.diagnostics.list).toEqual([found]);
  });

  it('takes over the spelling that the core stored', async () => {
    const document = await open();
    type(document, 'sent');
    const skill = b.core.find('timeline-builder');
    b.core.hold('skill/edit');
    const saving = document.sync.save();
    b.core.release('skill/edit');
    await saving;
    // As if the core had patched the text while storing it.
    skill.files.set(PATH, { ...skill.files.get(PATH), text: 'stored' });
    await b.catalog.details.load(skill.summary, true);
    await flushPromises();
    expect(document.content.text()).toBe('stored');
    expect(document.content.dirty).toBe(false);
  });
});

describe('changes made elsewhere', () => {
  it('are shown at once while nothing is unsaved', async () => {
    const document = await open();
    const before = document.content.replacement;
    b.core.writeElsewhere('timeline-builder', PATH, 'from the command line');
    await flushPromises();
    expect(document.content.text()).toBe('from the command line');
    expect(document).toMatchObject({ content: { dirty: false }, file: { revision: 2 }, conflict: { external: null } });
    expect(document.content.replacement).toBe(before + 1);
  });

  it('to another file of the skill only move the revision on', async () => {
    const document = await open();
    type(document, 'ours');
    b.core.writeElsewhere('timeline-builder', 'SKILL.md', 'other');
    await flushPromises();
    expect(document).toMatchObject({ file: { revision: 2 }, conflict: { external: null }, content: { dirty: true } });
    expect(await document.sync.save()).toBe(true);
  });

  it('are passed over when they are older than what is open', async () => {
    const document = await open();
    const before = await b.client.call('skill/get', { skill: document.file.skill.id });
    type(document, 'saved here');
    await document.sync.save();
    type(document, 'saved here, and more');
    await document.sync.apply(before);
    expect(document).toMatchObject({ conflict: { external: null }, file: { revision: 2 } });
    expect(document.file.entry?.sha256).not.toBe(before.entries.find((entry) => entry.path === PATH)?.sha256);
  });

  it('are announced, not taken, while there is unsaved text', async () => {
    const document = await open();
    type(document, 'ours');
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    await flushPromises();
    expect(document.conflict.external).toMatchObject({ theirs: 'theirs', revision: 2 });
    expect(document.content.text()).toBe('ours');
  });

  it('count as saved when both sides wrote the same', async () => {
    const document = await open();
    type(document, 'same');
    b.core.writeElsewhere('timeline-builder', PATH, 'same');
    await flushPromises();
    expect(document).toMatchObject({ content: { dirty: false }, conflict: { external: null }, file: { revision: 2 } });
  });

  it('can be overwritten', async () => {
    const document = await open();
    type(document, 'ours');
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    await flushPromises();
    expect(await keepOurs(document)).toBe(true);
    await flushPromises();
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe('ours');
    expect(document).toMatchObject({ content: { dirty: false }, conflict: { external: null }, file: { revision: 3 } });
  });

  it('can be taken', async () => {
    const document = await open();
    type(document, 'ours');
    await vi.advanceTimersByTimeAsync(400);
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    await flushPromises();
    await takeTheirs(document);
    await flushPromises();
    expect(document.content.text()).toBe('theirs');
    expect(document).toMatchObject({ content: { dirty: false }, conflict: { external: null }, file: { revision: 2 } });
    expect(b.core.drafts.size).toBe(0);
  });

  it('are compared with the text before both', async () => {
    const document = await open();
    const base = document.content.text();
    type(document, 'ours');
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    await flushPromises();
    document.conflict.show();
    expect(document.conflict.shown).toMatchObject({ base, theirs: 'theirs', ours: 'ours', revision: 2 });
    document.conflict.hide();
    expect(document.conflict.shown).toBeNull();
    expect(document.conflict.external?.theirs).toBe('theirs');
  });

  it('are joined with one’s own on request, saved when one saves, and parted again before that', async () => {
    const document = await open();
    const base = document.content.text();
    type(document, `ours\n${base}`);
    b.core.writeElsewhere('timeline-builder', PATH, `${base}\ntheirs`);
    await flushPromises();
    await document.conflict.merge(`ours\n${base}\ntheirs`);
    expect(document).toMatchObject({ conflict: { external: null, merged: { external: { revision: 2 } } }, content: { dirty: true }, file: { revision: 2 } });
    expect(b.core.find('timeline-builder').revisions).toHaveLength(2);
    // Nothing of it comes back as a change made elsewhere.
    await b.catalog.details.load({ scope: 'account', id: document.file.skill.id }, true);
    await flushPromises();
    expect(document.conflict.external).toBeNull();

    document.conflict.undoMerge();
    expect(document.content.text()).toBe(`ours\n${base}`);
    expect(document).toMatchObject({ conflict: { external: { revision: 2 }, merged: null }, file: { revision: 1 } });

    await document.conflict.merge(`ours\n${base}\ntheirs`);
    expect(await document.sync.save()).toBe(true);
    expect(document).toMatchObject({ conflict: { merged: null, external: null }, content: { dirty: false }, file: { revision: 3 } });
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe(`ours\n${base}\ntheirs`);
  });

  it('are announced again when joining is undone in the text: saving that would take them away', async () => {
    const document = await open();
    const base = document.content.text();
    type(document, `ours\n${base}`);
    b.core.writeElsewhere('timeline-builder', PATH, `${base}\ntheirs`);
    await flushPromises();
    await document.conflict.merge(`ours\n${base}\ntheirs`);
    type(document, `ours\n${base}`);
    expect(await document.sync.save()).toBe(false);
    expect(document.conflict.shown).toMatchObject({ base, theirs: `${base}\ntheirs`, ours: `ours\n${base}` });
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe(`${base}\ntheirs`);
  });

  it('deleting the file keeps the text, which can be saved again', async () => {
    const document = await open();
    type(document, 'ours');
    b.core.writeElsewhere('timeline-builder', PATH, null);
    await flushPromises();
    expect(document.conflict.external).toMatchObject({ theirs: null });
    expect(await keepOurs(document)).toBe(true);
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe('ours');
  });

  it('stay announced when the text can’t be saved over them', async () => {
    for (const theirs of ['theirs', null]) {
      b = await bench();
      const document = await open();
      const base = document.content.text();
      type(document, 'ours');
      b.core.writeElsewhere('timeline-builder', PATH, theirs);
      await flushPromises();
      const { external } = document.conflict;
      b.core.failing.set('skill/edit', fail('io', 'disk full'));
      expect(await keepOurs(document)).toBe(false);
      expect(document).toMatchObject({ conflict: { external }, file: { revision: 1, text: base }, sync: { saveState: 'failed' } });
      b.core.failing.clear();
      expect(await keepOurs(document)).toBe(true);
      expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe('ours');
    }
  });

  it('deleting the skill loses nothing that was typed, before or after', async () => {
    const skill = b.core.find('timeline-builder');
    const document = await open();
    type(document, 'ours');
    skill.deleted = true;
    b.core.emit('skill', [skill.summary.id]);
    await flushPromises();
    document.conflict.deleted();
    type(document, 'ours, and more');
    await vi.advanceTimersByTimeAsync(400);
    expect(document.draft.state).toBe('kept');
    expect([...b.core.drafts.values()].map((draft) => draft.text)).toEqual(['ours, and more']);
    skill.deleted = false;
    b.core.emit('skill', [skill.summary.id]);
    await flushPromises();
    expect(document).toMatchObject({ content: { dirty: true }, conflict: { external: null } });
    expect(await document.sync.save()).toBe(true);
  });

  it('deleting the file leaves text that can be thrown away', async () => {
    const document = await open();
    type(document, 'ours');
    await vi.advanceTimersByTimeAsync(400);
    b.core.writeElsewhere('timeline-builder', PATH, null);
    await flushPromises();
    await discardChanges(document);
    expect(document.content.dirty).toBe(false);
    expect(b.core.drafts.size).toBe(0);
  });
});

describe('a conflict while saving', () => {
  async function conflict(): Promise<Document> {
    const document = await open();
    type(document, 'ours');
    b.core.hold('skill/get');
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    expect(await document.sync.save()).toBe(false);
    return document;
  }

  it('opens with the three texts', async () => {
    const document = await conflict();
    expect(document.conflict.shown).toMatchObject({ theirs: 'theirs', ours: 'ours', revision: 2 });
    expect(document.content.text()).toBe('ours');
  });

  it('is resolved by a merged text', async () => {
    const document = await conflict();
    expect(await keepOurs(document, 'both')).toBe(true);
    b.core.release('skill/get');
    await flushPromises();
    expect(b.core.find('timeline-builder').files.get(PATH)?.text).toBe('both');
    expect(document).toMatchObject({ conflict: { shown: null, external: null }, content: { dirty: false } });
    expect(document.content.text()).toBe('both');
  });

  it('is resolved by taking theirs', async () => {
    const document = await conflict();
    await takeTheirs(document);
    b.core.release('skill/get');
    await flushPromises();
    expect(document.content.text()).toBe('theirs');
    expect(document).toMatchObject({ conflict: { shown: null }, content: { dirty: false }, file: { revision: 2 } });
  });
});

describe('a draft from before', () => {
  it('is opened as unsaved text', async () => {
    const first = await open();
    type(first, 'typed before the crash');
    await vi.advanceTimersByTimeAsync(400);
    const again = await open();
    expect(again.content.text()).toBe('typed before the crash');
    expect(again.content.dirty).toBe(true);
    expect(again.conflict.external).toBeNull();
    expect(await again.sync.save()).toBe(true);
  });

  it('of an older revision announces the change made since', async () => {
    const first = await open();
    const base = first.content.text();
    type(first, 'typed before the crash');
    await vi.advanceTimersByTimeAsync(400);
    await first.close();
    b.core.writeElsewhere('timeline-builder', PATH, 'theirs');
    await flushPromises();
    const again = await open();
    expect(again.content.text()).toBe('typed before the crash');
    expect(again.conflict.external).toMatchObject({ theirs: 'theirs', revision: 2 });
    again.conflict.show();
    expect(again.conflict.shown).toMatchObject({ base, theirs: 'theirs', ours: 'typed before the crash' });
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
  expect(document).toMatchObject({ status: 'ready', file: { text: null }, content: { dirty: false } });
  expect(b.core.callsOf('check/file')).toHaveLength(0);
});

it('throws unsaved text away and can give it back', async () => {
  const document = await open();
  const saved = document.content.text();
  type(document, 'ours');
  const lost = await discardChanges(document);
  expect(document.content.text()).toBe(saved);
  expect(document.content.dirty).toBe(false);
  document.content.replace(lost);
  expect(document.content.text()).toBe('ours');
  expect(document.content.dirty).toBe(true);
});
