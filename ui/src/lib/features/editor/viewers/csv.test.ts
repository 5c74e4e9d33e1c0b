import { describe, expect, it } from 'vitest';
import { delimiterOf, hasHeader, letters, nextSort, numericColumns, readTable, sortedRows, type Table, widthsOf } from './csv';

const read = (text: string, path = 'data.csv'): Promise<Table> => readTable(text, path, () => undefined, () => false);

describe('reading a table', () => {
  it('takes quoted fields with delimiters, quotes and line breaks in them', async () => {
    const { rows, lines } = await read('name,said\n"Vale, Aria","she said ""no"""\n"two\nlines",x\nlast,y\n');
    expect(rows).toEqual([['name', 'said'], ['Vale, Aria', 'she said "no"'], ['two\nlines', 'x'], ['last', 'y']]);
    expect(lines).toEqual([1, 2, 3, 5]);
  });

  it('tells rows of another length, and shows them', async () => {
    const table = await read('a,b,c\n1,2,3\n1,2\n1,2,3,4\n');
    expect(table).toMatchObject({ columns: 4, ragged: 2, firstRagged: 3, fault: null });
    expect(table.rows).toHaveLength(4);
  });

  it('reads Windows line ends, a byte order mark and a last line without an end', async () => {
    expect((await read('\ufeffa,b\r\n1,2\r\n3,4')).rows).toEqual([['a', 'b'], ['1', '2'], ['3', '4']]);
  });

  it('keeps blank lines in between, so that line numbers are right', async () => {
    const { rows, lines, ragged } = await read('a,b\n\n1,2\n');
    expect(rows).toEqual([['a', 'b'], [''], ['1', '2']]);
    expect([lines, ragged]).toEqual([[1, 2, 3], 0]);
  });

  it('says where a quote isn’t closed', async () => {
    expect((await read('a,b\n1,2\n"open,3\n')).fault).toEqual({ line: 3, message: 'unclosed quoted field' });
  });

  it('finds the delimiter', async () => {
    expect(delimiterOf('a;b\n1;2\n', 'x.csv')).toBe(';');
    expect(delimiterOf('a,b\tc\n', 'x.tsv')).toBe('\t');
    expect(delimiterOf('one\ntwo\n', 'x.csv')).toBe(',');
    expect((await read('a\tb\n1\t2\n', 'x.tsv')).rows).toEqual([['a', 'b'], ['1', '2']]);
  });

  it('reads nothing of nothing', async () => {
    expect(await read('')).toMatchObject({ rows: [], columns: 0, done: true });
  });

  it('reads a hundred thousand rows in slices, and stops when it is cancelled', async () => {
    const text = `id,name,score\n${Array.from({ length: 100_000 }, (_, at) => `${at},"name ${at}",${at % 7}`).join('\n')}\n`;
    const gaps: number[] = [];
    let last = performance.now();
    const table = await readTable(text, 'x.csv', () => {
      gaps.push(performance.now() - last);
      last = performance.now();
    }, () => false);
    expect([table.rows.length, table.columns, table.ragged]).toEqual([100_001, 3, 0]);
    expect(table.rows[100_000]).toEqual(['99999', 'name 99999', '4']);
    expect(gaps.length).toBeGreaterThan(3);

    let received = 0;
    const stopped = await readTable(text, 'x.csv', () => (received += 1), () => received > 0);
    expect(stopped.rows.length).toBeLessThan(100_001);
  });
});

it('takes words for a header, numbers for data', () => {
  expect(hasHeader([['id', 'name'], ['1', 'a']])).toBe(true);
  expect(hasHeader([['1', 'name'], ['2', 'a']])).toBe(false);
  expect(hasHeader([['only']])).toBe(false);
});

it('names columns as spreadsheets do', () => {
  expect([0, 25, 26, 27, 701, 702].map(letters)).toEqual(['A', 'Z', 'AA', 'AB', 'ZZ', 'AAA']);
});

it('makes columns as wide as what is in them, within bounds', () => {
  expect(widthsOf([['a', 'x'.repeat(500), 'twenty characters ok']], 4)).toEqual([56, 320, 170, 56]);
});

describe('sorting', () => {
  const rows = [['b', '10'], ['', '9'], ['A', ''], ['c', 'x'], ['a', '-1']];

  it('goes from ascending to descending to the order of the file', () => {
    const first = nextSort(null, 1);
    expect(first).toEqual({ column: 1, descending: false });
    const second = nextSort(first, 1);
    expect(second).toEqual({ column: 1, descending: true });
    expect(nextSort(second, 1)).toBeNull();
    expect(nextSort(second, 0)).toEqual({ column: 0, descending: false });
  });

  it('compares numbers by value, ignores case, and leaves empty values last', () => {
    expect(sortedRows(rows, { column: 0, descending: false })).toEqual([2, 4, 0, 3, 1]);
    expect(sortedRows(rows, { column: 0, descending: true })).toEqual([3, 0, 2, 4, 1]);
    expect(sortedRows(rows, { column: 1, descending: false })).toEqual([4, 1, 0, 3, 2]);
    expect(sortedRows(rows, { column: 7, descending: false })).toEqual([0, 1, 2, 3, 4]);
  });

  it('finds columns of numbers', () => {
    expect(numericColumns([['1', 'a', ''], ['2.5', '3', ''], ['', '4', '']], 3)).toEqual([true, false, false]);
  });
});
