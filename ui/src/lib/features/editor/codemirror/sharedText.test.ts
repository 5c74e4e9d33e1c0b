import { redo, undo } from '@codemirror/commands';
import { type ChangeSet, type EditorSelection, EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Bench, bench, fakeTimers, flushPromises } from '../../../../../tests/support';
import { Document } from '../document/document.svelte';
import { SharedText, type TextView } from './sharedText';

let b: Bench;
let document: Document;
let text: SharedText;

/** A view without a window: it has the text, a cursor, and tells what is typed in it. */
class Place implements TextView {
  state: EditorState;

  constructor() {
    this.state = EditorState.create({ doc: text.doc });
    text.join(this);
  }

  take(changes: ChangeSet, selection?: EditorSelection): void {
    this.state = this.state.update({ changes, ...(selection ? { selection } : {}) }).state;
  }

  renew(): void {
    this.state = EditorState.create({ doc: text.doc });
  }

  #do(spec: TransactionSpec, time: number): void {
    const transaction = this.state.update(spec, { annotations: Transaction.time.of(time) });
    this.state = transaction.state;
    text.record(transaction, this);
  }

  type(at: number, insert: string, time = 0): void {
    this.#do({ changes: { from: at, insert }, selection: { anchor: at + insert.length }, userEvent: 'input.type' }, 1_000_000 + time);
  }

  put(anchor: number): void {
    this.#do({ selection: { anchor }, userEvent: 'select.pointer' }, 1_000_000);
  }

  undo(): boolean {
    return text.run(undo, this, this.state.selection);
  }

  redo(): boolean {
    return text.run(redo, this, this.state.selection);
  }

  get shown(): string {
    return this.state.doc.toString();
  }

  get cursor(): number {
    return this.state.selection.main.head;
  }
}

beforeEach(async () => {
  fakeTimers();
  b = await bench();
  const { id } = b.core.find('timeline-builder').summary;
  document = new Document(b.client, { scope: 'account', skillId: id, path: 'prompts/order.j2' }, { onSave: () => undefined });
  await document.load();
  await flushPromises();
  document.content.replace('one two');
  text = SharedText.of(document.content);
});

describe('a text that is replaced elsewhere', () => {
  const replaced = (next: string, typed = false): void => {
    document.content.replace(next, typed);
    text.follow();
  };

  it('loses what was typed into a field at once, and other replacements one by one', () => {
    const view = new Place();
    replaced('one two "');
    for (const typed of ['one two "a', 'one two "ab', 'one two "abc']) replaced(typed, true);
    replaced('one two "abc"');
    replaced('one two "abc" d', true);
    const undone = (): string => {
      view.undo();
      return view.shown;
    };
    expect([undone(), undone(), undone(), undone()]).toEqual(['one two "abc"', 'one two "abc', 'one two "', 'one two']);
    view.redo();
    view.redo();
    expect([view.shown, document.content.text()]).toEqual(['one two "abc', 'one two "abc']);
  });
});

describe('a text in two places', () => {
  it('is the same in both, and the document has it', () => {
    const [left, right] = [new Place(), new Place()];
    left.type(3, '!');
    right.type(0, '> ');
    expect([left.shown, right.shown, document.content.text()]).toEqual(['> one! two', '> one! two', '> one! two']);
    expect(document.content.dirty).toBe(true);
  });

  it('leaves the other cursor at its word', () => {
    const [left, right] = [new Place(), new Place()];
    right.put(4);
    left.type(0, '....');
    expect(right.cursor).toBe(8);
  });

  it('has one history: undo anywhere takes back what was typed last, wherever that was', () => {
    const [left, right] = [new Place(), new Place()];
    left.type(7, ' left');
    right.type(0, 'right ');
    expect(left.undo()).toBe(true);
    expect([left.shown, right.shown]).toEqual(['one two left', 'one two left']);
    expect(left.undo()).toBe(true);
    expect([left.shown, right.shown]).toEqual(['one two', 'one two']);
    expect(right.redo()).toBe(true);
    expect(right.redo()).toBe(true);
    expect([left.shown, right.shown, document.content.text()]).toEqual(['right one two left', 'right one two left', 'right one two left']);
  });

  it('takes what was typed in one go back in one go, but not across places', () => {
    const [left, right] = [new Place(), new Place()];
    left.type(7, 'a', 10);
    left.type(8, 'b', 20);
    right.type(9, 'c', 30);
    left.undo();
    expect(left.shown).toBe('one twoab');
    left.undo();
    expect(left.shown).toBe('one two');
  });

  it('brings the cursor of the place that asked to where it was', () => {
    const [left, right] = [new Place(), new Place()];
    left.put(3);
    left.type(3, '!!');
    right.put(0);
    right.undo();
    expect(right.cursor).toBe(3);
  });

  it('keeps its history when a place closes and another one opens', () => {
    const left = new Place();
    left.type(0, 'typed ');
    text.leave(left);
    const later = new Place();
    expect(SharedText.of(document.content)).toBe(text);
    expect(later.shown).toBe('typed one two');
    later.undo();
    expect(later.shown).toBe('one two');
    later.undo();
    expect(later.shown).toBe('one two');
  });
});

describe('a text replaced from outside', () => {
  it('changes in both places, keeps their cursors, and can be undone', () => {
    const [left, right] = [new Place(), new Place()];
    right.put(7);
    left.type(7, '!');
    document.content.replace('zero one two!');
    text.follow();
    text.follow();
    expect([left.shown, right.shown, right.cursor]).toEqual(['zero one two!', 'zero one two!', 12]);
    left.undo();
    expect([left.shown, right.shown, document.content.text()]).toEqual(['one two!', 'one two!', 'one two!']);
  });

  it('begins anew with other line ends', () => {
    const left = new Place();
    document.content.replace('one\r\ntwo');
    text.follow();
    expect(text.lineBreak).toBe('\r\n');
    expect(left.shown).toBe('one\ntwo');
    expect(document.content.text()).toBe('one\r\ntwo');
  });
});

it('costs a keystroke little, however large the text and however many places', () => {
  document.content.replace('A line of prose with some words in it.\n'.repeat(20_000));
  text.follow();
  const views = [new Place(), new Place(), new Place()];
  const [first] = views;
  const took: number[] = [];
  for (let at = 0; at < 300; at += 1) {
    const start = performance.now();
    first?.type(400_000 + at, 'x', at * 30);
    took.push(performance.now() - start);
  }
  took.sort((x, y) => x - y);
  expect(took[Math.floor(took.length * 0.95)]).toBeLessThan(8);
});
