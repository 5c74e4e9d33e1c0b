import { history, undo } from '@codemirror/commands';
import { EditorState, Text, type TransactionSpec } from '@codemirror/state';
import { expect, it } from 'vitest';
import { merge } from '../merge';
import { beginOf, type Choice, Conflicts, slotAt } from './conflictMarks';

const BASE = 'one\ntwo\nthree\nfour\nfive';

/** A merge as an editor has it, without a window. */
class Bench {
  readonly conflicts: Conflicts;
  state: EditorState;

  constructor(ours: string, theirs: string, base = BASE) {
    const begin = beginOf(merge(base, ours, theirs));
    this.conflicts = new Conflicts(begin, () => undefined);
    this.state = EditorState.create({ doc: Text.of(begin.text.split('\n')), extensions: [history(), this.conflicts.extension] });
  }

  do(spec: TransactionSpec): void {
    this.state = this.state.update(spec).state;
  }

  choose(index: number, choice: Choice): void {
    this.do(this.conflicts.chosen(this.state, index, choice));
  }

  undo(): void {
    undo({ state: this.state, dispatch: (transaction) => (this.state = transaction.state) });
  }

  get text(): string {
    return this.state.doc.toString();
  }

  get choices(): (string | null)[] {
    return this.conflicts.slots(this).map((slot) => slot.choice);
  }
}

const inMiddle = (): Bench => new Bench('one\nours\nthree\nfour\nfive', 'one\ntheirs\nthree\nfour\n5');

it('begins with ours where it is torn, and with what only the others changed', () => {
  const bench = inMiddle();
  expect(bench.text).toBe('one\nours\nthree\nfour\n5');
  expect(bench.choices).toEqual([null]);
});

it.each([
  ['ours', 'one\nours\nthree\nfour\n5'],
  ['theirs', 'one\ntheirs\nthree\nfour\n5'],
  ['both', 'one\nours\ntheirs\nthree\nfour\n5'],
  ['base', 'one\ntwo\nthree\nfour\n5'],
] as const)('takes %s', (choice, text) => {
  const bench = inMiddle();
  bench.choose(0, 'both');
  bench.choose(0, choice);
  expect(bench.text).toBe(text);
  expect(bench.choices).toEqual([choice]);
});

it('undoes a decision like typing', () => {
  const bench = inMiddle();
  bench.choose(0, 'both');
  bench.undo();
  expect(bench.text).toBe('one\nours\nthree\nfour\n5');
  expect(bench.choices).toEqual([null]);
  bench.choose(0, 'theirs');
  expect(bench.text).toBe('one\ntheirs\nthree\nfour\n5');
});

it('takes what was typed there as a decision, and what was typed elsewhere not', () => {
  const bench = inMiddle();
  bench.do({ changes: { from: 0, insert: 'zero\n' } });
  expect(bench.choices).toEqual([null]);
  bench.do({ changes: { from: bench.text.indexOf('three'), insert: 'still ' } });
  expect(bench.choices).toEqual([null]);
  bench.do({ changes: { from: bench.text.indexOf('ours'), insert: 'really ' } });
  expect(bench.choices).toEqual(['edited']);
  bench.choose(0, 'theirs');
  expect(bench.text).toBe('zero\none\ntheirs\nstill three\nfour\n5');
});

it('handles a side that removed the lines', () => {
  const bench = new Bench('one\nthree\nfour\nfive', 'one\nTWO\nthree\nfour\nfive');
  expect(bench.text).toBe('one\nthree\nfour\nfive');
  bench.choose(0, 'theirs');
  expect(bench.text).toBe('one\nTWO\nthree\nfour\nfive');
  bench.choose(0, 'ours');
  expect(bench.text).toBe('one\nthree\nfour\nfive');
});

it('handles the end of the text, with and without lines there', () => {
  const bench = new Bench('one\ntwo\nthree\nfour', 'one\ntwo\nthree\nfour\n5');
  bench.choose(0, 'theirs');
  expect(bench.text).toBe('one\ntwo\nthree\nfour\n5');
  bench.choose(0, 'ours');
  expect(bench.text).toBe('one\ntwo\nthree\nfour');
  bench.choose(0, 'base');
  expect(bench.text).toBe(BASE);
});

it('leaves the end of the last line where it is, whoever’s it is', () => {
  const bench = new Bench('one\nours\n', 'one\ntheirs\n', 'one\ntwo\n');
  bench.choose(0, 'theirs');
  expect(bench.text).toBe('one\ntheirs\n');
  bench.choose(0, 'both');
  expect(bench.text).toBe('one\nours\ntheirs\n');
  const added = new Bench('one\n\nours', 'one\n\ntheirs', 'one\n');
  added.choose(0, 'base');
  expect(added.text).toBe('one\n');
  added.choose(0, 'both');
  expect(added.text).toBe('one\n\nours\ntheirs');
});

it('keeps two conflicts apart', () => {
  const bench = new Bench('1\ntwo\nthree\nfour\n5', 'I\ntwo\nthree\nfour\nV');
  bench.choose(0, 'both');
  bench.choose(1, 'theirs');
  expect(bench.text).toBe('1\nI\ntwo\nthree\nfour\nV');
  bench.choose(0, 'theirs');
  bench.choose(1, 'ours');
  expect(bench.text).toBe('I\ntwo\nthree\nfour\n5');
  bench.do({ selection: { anchor: 0 } });
  expect(slotAt(bench.conflicts.slots(bench), bench.state)).toBe(0);
  bench.do({ selection: { anchor: 4 } });
  expect(slotAt(bench.conflicts.slots(bench), bench.state)).toBe(1);
});

it('handles two new files of the same name', () => {
  const bench = new Bench('ours', 'theirs', '');
  expect(bench.text).toBe('ours');
  bench.choose(0, 'both');
  expect(bench.text).toBe('ours\ntheirs');
});
