import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Symbols } from '$lib/api/generated';
import { bench, fakeTimers, flushPromises, type Bench } from '../../../../tests/support';
import { around, Outline } from './outline.svelte';
import { References } from './references.svelte';
import { Renaming, savedText } from './renaming.svelte';
import { type TextsNow, Vocabulary } from './vocabulary';

const FILES = {
  'SKILL.md': { text: '---\nname: desk\ndescription: d\n---\n# Desk\n', role: 'main' as const },
  'prompts/a.j2': { text: '{{ topic }} and {{ topic }}\n' },
  'prompts/b.j2': { text: '{{ topic }} {{ other }}\n' },
  'data.json': { text: '{ "topic": 1 }\n' },
};

let world: Bench;
let key: { scope: 'account'; id: string };

beforeEach(async () => {
  fakeTimers();
  world = await bench([{ scope: 'account', slug: 'desk', name: 'Desk', description: 'd', files: FILES }]);
  const skill = world.core.skills[0];
  key = { scope: 'account', id: skill?.summary.id ?? '' };
});
afterEach(() => vi.useRealTimers());

const texts = (stamp = '', edits: { path: string; text: string }[] = [], revision = 1): TextsNow => ({ key, revision, stamp, edits: () => edits });
const asked = (name: string): number => world.core.calls.filter((call) => call.name === name).length;

async function topic(): Promise<Symbols.SymbolInformation> {
  const info = await new Vocabulary(world.client).at(texts(), 'prompts/a.j2', { line: 1, column: 5 });
  if (!info) throw new Error('no symbol there');
  return info;
}

describe('names of a skill', () => {
  it('are asked once for a text, and a list of a moment ago stands in while it changes', async () => {
    const vocabulary = new Vocabulary(world.client);
    const first = await vocabulary.names(texts());
    expect(first.variables.map(({ name }) => name)).toEqual(['other', 'topic']);
    await vocabulary.names(texts());
    expect(asked('symbol/names')).toBe(1);
    const typed = (): TextsNow => texts('1', [{ path: 'prompts/a.j2', text: '{{ fresh }}' }]);
    expect(await vocabulary.names(typed())).toBe(first);
    await flushPromises();
    expect((await vocabulary.names(typed())).variables.map(({ name }) => name)).toContain('fresh');
    expect(asked('symbol/names')).toBe(2);
    await vocabulary.names(texts('', [], 2));
    expect(asked('symbol/names')).toBe(3);
  });

  it('are asked again after a failure', async () => {
    const vocabulary = new Vocabulary(world.client);
    world.core.failing.set('symbol/names', { code: 'io', message: 'no disk', hint: null, fields: null, request_id: '' } as never);
    await expect(vocabulary.names(texts())).rejects.toMatchObject({ message: 'no disk' });
    world.core.failing.clear();
    await flushPromises();
    expect((await vocabulary.names(texts())).files).toContain('SKILL.md');
  });
});

describe('references', () => {
  it('are a list by file, references before text matches, and are stepped through in a circle', async () => {
    const opened: string[] = [];
    const references = new References(world.client, { open: (_, path, location, how) => opened.push(`${path}:${location.line}:${location.column} ${how}`) });
    await references.find(texts(), await topic());
    expect(references.list.rows.map((row) => (row.kind === 'file' ? `${row.file.path}${row.isTextMatch ? ' ?' : ''}` : `  ${row.location.column}`))).toEqual(['prompts/a.j2', '  4', '  20', 'prompts/b.j2', '  4', 'data.json ?', '  4']);
    expect([references.count, references.textMatchCount]).toEqual([3, 1]);
    for (let steps = 0; steps < 4; steps += 1) references.list.step(1);
    expect(opened).toEqual(['prompts/a.j2:1:20 open', 'prompts/b.j2:1:4 open', 'data.json:1:4 open', 'prompts/a.j2:1:4 open']);
    references.list.step(-1);
    expect(opened.at(-1)).toBe('data.json:1:4 open');
  });

  it('are moved in by the keyboard', async () => {
    const opened: string[] = [];
    const references = new References(world.client, { open: (_, path, __, how) => opened.push(`${path} ${how}`) });
    await references.find(texts(), await topic());
    expect(references.list.key('Home')).toBe(true);
    expect(references.list.key('ArrowLeft')).toBe(true);
    expect(references.list.rows).toHaveLength(5);
    references.list.key('ArrowRight');
    references.list.key('ArrowDown');
    references.list.key('Enter');
    expect(opened).toEqual(['prompts/a.j2 open']);
    references.list.key('ArrowLeft');
    expect(references.list.index).toBe(0);
    expect(references.list.key('x')).toBe(false);
  });

  it('report why they couldn’t be found', async () => {
    const references = new References(world.client, { open: () => undefined });
    const info = await topic();
    world.core.failing.set('symbol/uses', { code: 'io', message: 'no disk', hint: null, fields: null, request_id: '' } as never);
    await references.find(texts(), info);
    expect(references.failure?.message).toBe('no disk');
    expect(references.list.step(1)).toBe(false);
  });
});

describe('renaming', () => {
  function started(save = true): { renaming: Renaming; done: { renamed: Symbols.RenameResult; back: () => Promise<void> }[]; start: () => Promise<void> } {
    const done: { renamed: Symbols.RenameResult; back: () => Promise<void> }[] = [];
    const renaming = new Renaming(world.client, {
      save: () => Promise.resolve(save),
      renamed: (renamed, _, __, back) => done.push({ renamed, back }),
      failed: () => undefined,
      show: () => undefined,
    });
    return { renaming, done, start: async () => renaming.start(key, await topic(), { left: 0, top: 0, bottom: 0 }) };
  }
  const stored = (): string => world.core.skills[0]?.files.get('prompts/a.j2')?.text ?? '';

  it('shows what it will change, and does it when it is asked to', async () => {
    const { renaming, done, start } = started();
    await start();
    renaming.type('subject');
    await vi.advanceTimersByTimeAsync(200);
    await flushPromises();
    expect([renaming.locations, renaming.plan?.uses.length, renaming.plan?.inputs]).toEqual([3, 2, 1]);
    expect(stored()).toContain('topic');
    await renaming.apply();
    expect(renaming.target).toBeNull();
    expect(stored()).toBe('{{ subject }} and {{ subject }}\n');
    await done[0]?.back();
    expect(stored()).toBe('{{ topic }} and {{ topic }}\n');
  });

  it('counts the saved inputs and actions that follow', () => {
    expect(savedText({ inputs: 0, actions: 0 })).toBe('');
    expect(savedText({ inputs: 1, actions: 0 })).toBe(' and 1 saved input');
    expect(savedText({ inputs: 0, actions: 2 })).toBe(' and 2 actions');
    expect(savedText({ inputs: 2, actions: 1 })).toBe(', 2 saved inputs and 1 action');
  });

  it('says inline what is wrong with a name, and keeps what was typed', async () => {
    const { renaming, start } = started();
    await start();
    renaming.type('other');
    await vi.advanceTimersByTimeAsync(200);
    await flushPromises();
    expect(renaming.failure?.message).toContain('asks for other already');
    await renaming.apply();
    expect(renaming.target).not.toBeNull();
    expect(stored()).toContain('topic');
  });

  it('does nothing without a new name, or when what is typed can’t be saved', async () => {
    const same = started();
    await same.start();
    await same.renaming.apply();
    expect([same.renaming.target, same.done.length]).toEqual([null, 0]);
    const unsaved = started(false);
    await unsaved.start();
    unsaved.renaming.type('subject');
    await unsaved.renaming.apply();
    expect([unsaved.renaming.target, stored().includes('topic')]).toEqual([null, true]);
  });
});

describe('the outline', () => {
  const ITEMS = [
    { name: 'One', kind: 'heading', line: 1, endLine: 9, level: 1 },
    { name: 'Two', kind: 'heading', line: 3, endLine: 5, level: 2 },
    { name: 'Three', kind: 'heading', line: 10, endLine: 12, level: 1 },
  ];

  it('follows the cursor to the innermost item, and the text after a pause', async () => {
    const read = vi.fn(() => Promise.resolve(ITEMS));
    const opened: string[] = [];
    const outline = new Outline({ read, go: (_, line, focus) => opened.push(`${line} ${focus}`) });
    const source = { id: 'a', path: 'a.md', edition: () => 1 };
    outline.follow(source);
    await flushPromises();
    outline.at(4);
    expect(outline.index).toBe(1);
    expect(around(ITEMS, 6)).toBe(0);
    outline.follow(source);
    outline.touch();
    outline.touch();
    await vi.advanceTimersByTimeAsync(300);
    expect(read).toHaveBeenCalledTimes(2);
    outline.key('ArrowDown');
    outline.key('Enter');
    expect(opened).toEqual(['10 false', '10 true']);
    outline.filter = 'two';
    expect(outline.shown.map(({ name }) => name)).toEqual(['Two']);
  });
});
