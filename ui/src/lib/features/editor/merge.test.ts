import { describe, expect, it } from 'vitest';
import { merge, mergedText } from './merge';

const BASE = 'one\ntwo\nthree\nfour\nfive\n';

describe('what both sides made of a text', () => {
  it('has the changes of both where they don’t overlap', () => {
    const ours = BASE.replace('one', 'ONE');
    const theirs = BASE.replace('five', 'FIVE\nsix');
    expect(mergedText(BASE, ours, theirs)).toBe('ONE\ntwo\nthree\nfour\nFIVE\nsix\n');
  });

  it('is what both wrote when they wrote the same', () => {
    const both = BASE.replace('two', '2');
    expect(mergedText(BASE, both, both)).toBe(both);
  });

  it('is torn where they changed the same lines', () => {
    const { pieces, conflicts } = merge(BASE, BASE.replace('two', 'ours'), BASE.replace('two', 'theirs').replace('five', '5'));
    expect(conflicts).toBe(1);
    expect(pieces).toEqual([
      { kind: 'settled', lines: ['one'] },
      { kind: 'conflict', base: ['two'], ours: ['ours'], theirs: ['theirs'] },
      { kind: 'settled', lines: ['three', 'four', '5', ''] },
    ]);
    expect(mergedText(BASE, BASE.replace('two', 'ours'), BASE.replace('two', 'theirs'))).toBeNull();
  });

  it('keeps a line that one side removed and the other changed for a decision', () => {
    expect(merge(BASE, BASE.replace('two\n', ''), BASE.replace('two', '2')).conflicts).toBe(1);
  });

  it('takes over how the side that changed it ends lines', () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    const ours = BASE.replace('one', 'ONE');
    expect(mergedText(BASE, ours, crlf(BASE))).toBe(crlf(ours));
    expect(mergedText(BASE, crlf(ours), BASE.replace('five', '5'))).toBe(crlf(ours.replace('five', '5')));
  });

  it('begins with nothing when the file is new on both sides', () => {
    expect(merge('', 'ours\n', 'theirs\n').conflicts).toBe(1);
    expect(mergedText('', 'same\n', 'same\n')).toBe('same\n');
  });
});
