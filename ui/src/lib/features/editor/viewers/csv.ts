import Papa from 'papaparse';

/** A syntax error. */
export interface Fault {
  line: number;
  message: string;
}

/** The rows parsed so far. */
export interface Table {
  delimiter: string;
  rows: string[][];
  /** The line of the text that each row begins in, from 1. */
  lines: number[];
  /** The maximum number of fields in a row. */
  columns: number;
  /** Rows whose number of columns differs from the first row. */
  ragged: number;
  firstRagged: number;
  fault: Fault | null;
  done: boolean;
}

const AT_ONCE = 500;
const SLICE_MS = 8;
const HEAD = 64 * 1024;
const MESSAGES: Record<string, string> = {
  MissingQuotes: 'unclosed quoted field',
  InvalidQuotes: 'quote inside an unquoted field',
};

export function delimiterOf(text: string, path: string): string {
  if (/\.(tsv|tab)$/i.test(path)) return '\t';
  const { delimiter } = Papa.parse(text.slice(0, HEAD), { preview: 20, skipEmptyLines: true }).meta;
  return delimiter === '' ? ',' : delimiter;
}

/**
 * Parses a table in slices, so that the window stays responsive. `progress` is called after each slice. It stops when
 * `cancelled` returns true.
 */
export async function readTable(text: string, path: string, progress: (table: Table) => void, cancelled: () => boolean): Promise<Table> {
  const delimiter = delimiterOf(text, path);
  const table: Table = { delimiter, rows: [], lines: [], columns: 0, ragged: 0, firstRagged: 0, fault: null, done: false };
  const newline = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  let rest = text.startsWith('\ufeff') ? text.slice(1) : text;
  let line = 1;
  let since = performance.now();
  while (rest !== '' && !cancelled()) {
    // The fast mode would split the whole rest each time.
    const { data, errors, meta } = new Papa.Parser({ delimiter, newline: newline as '\n', fastMode: false, preview: AT_ONCE }).parse(rest, 0, false) as Papa.ParseResult<string[]>;
    for (const error of errors) {
      const message = MESSAGES[error.code];
      if (message && !table.fault) table.fault = { line: line + linesBefore(data, error.row ?? 0), message };
    }
    for (const row of data) line = put(table, row, line);
    if (meta.cursor <= 0) break;
    rest = rest.slice(meta.cursor);
    if (performance.now() - since < SLICE_MS) continue;
    progress(table);
    await new Promise((resolve) => setTimeout(resolve, 0));
    since = performance.now();
  }
  // The last line break isn’t followed by a row.
  if (/[\r\n]$/.test(text)) dropEmptyEnd(table);
  table.done = true;
  progress(table);
  return table;
}

function put(table: Table, row: string[], line: number): number {
  const first = table.rows[0];
  if (first && row.length !== first.length && !isBlank(row)) {
    if (table.ragged === 0) table.firstRagged = line;
    table.ragged += 1;
  }
  table.rows.push(row);
  table.lines.push(line);
  if (row.length > table.columns) table.columns = row.length;
  return line + 1 + breaksIn(row);
}

const isBlank = (row: readonly string[]): boolean => row.length === 1 && row[0] === '';

function dropEmptyEnd(table: Table): void {
  const last = table.rows.at(-1);
  if (!last || !isBlank(last)) return;
  table.rows.pop();
  table.lines.pop();
}

const linesBefore = (rows: readonly string[][], count: number): number => rows.slice(0, count).reduce((sum, row) => sum + 1 + breaksIn(row), 0);

function breaksIn(row: readonly string[]): number {
  let count = 0;
  for (const field of row) for (let at = field.indexOf('\n'); at >= 0; at = field.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Whether the first row is a header, with words only. */
export function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [first] = rows;
  return first !== undefined && rows.length > 1 && first.every((field) => field.trim() !== '' && Number.isNaN(Number(field)));
}

/** A, B, … Z, AA, … for columns without a name. */
export function letters(index: number): string {
  let [name, left] = ['', index];
  do {
    name = String.fromCharCode(65 + (left % 26)) + name;
    left = Math.floor(left / 26) - 1;
  } while (left >= 0);
  return name;
}

const SAMPLE = 200;
const WIDTH = { min: 56, max: 320, character: 7.5, around: 20 };

/** The width of each column, estimated from the first rows. */
export function widthsOf(rows: readonly (readonly string[])[], columns: number): number[] {
  const sample = rows.slice(0, SAMPLE);
  return Array.from({ length: columns }, (_, column) => {
    const longest = sample.reduce((max, row) => Math.max(max, Math.min(row[column]?.length ?? 0, 60)), 0);
    return Math.round(Math.max(WIDTH.min, Math.min(WIDTH.max, longest * WIDTH.character + WIDTH.around)));
  });
}

/** For each column whether all of its first values are numbers. */
export function numericColumns(rows: readonly (readonly string[])[], columns: number): boolean[] {
  const sample = rows.slice(0, SAMPLE);
  return Array.from({ length: columns }, (_, column) => {
    const values = sample.map((row) => row[column]?.trim() ?? '').filter((value) => value !== '');
    return values.length > 0 && values.every((value) => Number.isFinite(Number(value)));
  });
}

export interface Sort {
  column: number;
  descending: boolean;
}

/** The order after another request to sort by `column`: ascending, descending, as in the file. */
export function nextSort(sort: Sort | null, column: number): Sort | null {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? null : { column, descending: true };
}

/** Indices of `rows` in the given order. Numbers come before text, empty values last; equal values keep the order of the file. */
export function sortedRows(rows: readonly (readonly string[])[], { column, descending }: Sort): number[] {
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const keys = rows.map((row) => {
    const text = row[column]?.trim() ?? '';
    const number = text === '' ? NaN : Number(text);
    return { text, number, rank: text === '' ? 2 : Number.isNaN(number) ? 1 : 0 };
  });
  return [...keys.keys()].sort((at, other) => {
    const [a, b] = [keys[at], keys[other]];
    if (!a || !b) return 0;
    // Empty values are last in both directions.
    if (a.rank === 2 || b.rank === 2) return a.rank - b.rank;
    const order = a.rank !== b.rank ? a.rank - b.rank : a.rank === 0 ? a.number - b.number : collator.compare(a.text, b.text);
    return descending ? -order : order;
  });
}
