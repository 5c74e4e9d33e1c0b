import { describe, expect, it } from 'vitest';
import { parts } from './parts';
import { capital, decodedTarget, defaultPath, formatAgo, formatBytes, formatDay, matchText, NO_LOG, pathFrom, pathProblem, pieces, slugify, tildePath, tokensOf, tracebackLines, typeset, withPiece, wordsAt } from '.';
import { wikilink } from './markdown';

describe('slugs', () => {
  it.each([
    ['Timeline Checker', 'timeline-checker'],
    ['  Überprüfung: Größe! ', 'uberprufung-große'],
    ['a__b--c', 'a-b-c'],
    ['日本語', '日本語'],
    ['!!!', ''],
    ['x'.repeat(80), 'x'.repeat(64)],
  ])('of %j', (name, slug) => {
    expect(slugify(name)).toBe(slug);
  });
});

describe('the default path', () => {
  it('follows the kind and steps aside for what is taken', () => {
    expect(defaultPath('prompt_template', 'Check prompt', [])).toBe('prompts/check-prompt.j2');
    expect(defaultPath('code_template', 'Check', ['scripts/CHECK.py', 'scripts/check-2.py'])).toBe('scripts/check-3.py');
    expect(defaultPath('example', '!!!', [])).toBe('examples/example.json');
  });
});

describe('a path', () => {
  it.each(['references/notes.md', 'a', 'ünï/x.md'])('%j is fine', (path) => {
    expect(pathProblem(path, [])).toBeNull();
  });

  it.each(['', '/abs', 'a/', 'a//b', '../x', 'a/./b', 'con.md', 'a\\b', 'é'.repeat(121), ' a'])('%j is refused', (path) => {
    expect(pathProblem(path, [])).not.toBeNull();
  });

  it('is refused when taken, ignoring case', () => {
    expect(pathProblem('skill.md', ['SKILL.md'])).toContain('exists');
  });
});

describe('the filter of a list', () => {
  const rank = (query: string, ...texts: string[]): string[] =>
    texts
      .flatMap((text) => {
        const match = matchText(query, text);
        return match ? [{ text, score: match.score }] : [];
      })
      .sort((a, b) => b.score - a.score)
      .map((one) => one.text);

  it('prefers starts and whole words', () => {
    expect(rank('check', 'prompts/recheck.j2', 'prompts/check.j2', 'check.j2')).toEqual(['check.j2', 'prompts/check.j2', 'prompts/recheck.j2']);
  });

  it('finds initials', () => {
    expect(rank('cp', 'prompts/check-prompt.j2', 'scripts/xcxp.py')[0]).toBe('prompts/check-prompt.j2');
  });

  it('needs every letter, in order', () => {
    expect(matchText('ba', 'ab')).toBeNull();
    expect(matchText('gap', 'toggle wrap')).toBeNull();
  });

  it('finds beginnings of words, and marks them', () => {
    expect(matchText('tww', 'Toggle word wrap')?.at).toEqual([0, 7, 12]);
    expect(matchText('copr', 'copy prompt')?.at).toEqual([0, 1, 5, 6]);
    expect(matchText('a'.repeat(40), 'a '.repeat(39))).toBeNull();
  });

  it('takes words in any order', () => {
    expect(matchText('prompt check', 'check/prompt')).not.toBeNull();
    expect(matchText('prompt nothing', 'check/prompt')).toBeNull();
  });

  it('marks what it found', () => {
    const match = matchText('pro', 'a prompt');
    expect(pieces('a prompt', match?.at ?? [])).toEqual([
      { text: 'a ', hit: false },
      { text: 'pro', hit: true },
      { text: 'mpt', hit: false },
    ]);
  });
});

it('writes sizes, ages and home folders', () => {
  expect([512, 1536, 48_213, 3_000_000].map(formatBytes)).toEqual(['512 B', '1.5 KiB', '47 KiB', '2.9 MiB']);
  const now = Date.parse('2026-03-14T10:00:00Z');
  expect(['2026-03-14T09:59:50Z', '2026-03-14T09:30:00Z', '2026-03-14T07:00:00Z', '2026-03-01T07:00:00Z'].map((at) => formatAgo(at, now))).toEqual([
    'just now', '30 min ago', '3 h ago', 'Mar 1, 2026',
  ]);
  expect(tildePath('/home/ada/notes', '/home/ada')).toBe('~/notes');
  expect(tildePath('/home/adam', '/home/ada')).toBe('/home/adam');
});

describe('a wikilink', () => {
  it.each([
    ['[[Mara Venn]]', 'Mara Venn', 'Mara Venn'],
    ['[[people/mara#Youth|her youth]] and', 'people/mara#Youth', 'her youth'],
    ['![[ Map ]]', 'Map', 'Map'],
    ['[[A\\|b]]', 'A', 'b'],
    ['[[A|]]', 'A', 'A'],
  ])('%s', (source, target, text) => {
    expect(wikilink(source)).toMatchObject({ target, text });
  });

  it.each(['[[]]', '[[ |x]]', '[a](b)', 'x [[A]]', '[[A\nB]]'])('isn’t %j', (source) => {
    expect(wikilink(source)).toBeNull();
  });
});

it('a link’s target is compared as its author would say it', () => {
  expect(decodedTarget('../a%20b.md#x')).toBe('../a b.md#x');
  expect(decodedTarget('100%')).toBe('100%');
  expect(pathFrom('notes/deep/a.md', '../b.md')).toBe('notes/b.md');
  expect(pathFrom('a.md', './b/./c.md')).toBe('b/c.md');
});

it('a message begins with a capital, a path stays as it is', () => {
  expect(['the file was deleted', 'references/style.md is there', 'skill.json has no name', ''].map(capital)).toEqual(['The file was deleted', 'references/style.md is there', 'skill.json has no name', '']);
});

it('apostrophes are printed as in print, quotation marks stay', () => {
  expect(typeset("it can't run 'now', the skills' own")).toBe('it can’t run \'now\', the skills\' own');
});

it('tokens are written alike on both sides, and a day is the same everywhere', () => {
  const words = (input_tokens: number | null, output_tokens: number | null): string => tokensOf({ input_tokens, output_tokens });
  expect([words(412, 96), words(27_500, 1_930), words(27_500, 96), words(null, null)]).toEqual(['412 tokens in, 96 out', '27.5k tokens in, 1.9k out', '27.5k tokens in, 96 out', '']);
  expect([formatDay('2026-03-01'), formatDay('soon')]).toEqual(['Mar 1, 2026', 'soon']);
});

describe('a log', () => {
  it('grows, and keeps its end when it grows too long', () => {
    expect(withPiece(withPiece(NO_LOG, 'a'), 'b\n')).toEqual({ text: 'ab\n', cut: false });
    let log = NO_LOG;
    for (let line = 0; line < 5_000; line += 1) log = withPiece(log, `line ${line}\n`);
    expect(log.cut).toBe(true);
    expect(log.text.startsWith('line ')).toBe(true);
    expect(log.text.endsWith('line 4999\n')).toBe(true);
  });

  it('of one endless line is cut within it', () => {
    const log = withPiece(NO_LOG, 'x'.repeat(1_000_000));
    expect(log.cut).toBe(true);
    expect(log.text.length).toBeLessThan(100_000);
  });
});

it('a traceback leads to the lines of the script’s own file', () => {
  const traceback = 'Traceback (most recent call last):\n  File "scripts/x.py", line 12, in main\n    check(1)\n  File "/lib/json.py", line 3, in loads\n  File "/skill/scripts/x.py", line 2, in check\nValueError: no\n';
  expect(tracebackLines(traceback, 'scripts/x.py').map((one) => one.line)).toEqual([null, 12, null, null, 2, null]);
});

it('words of a query are found where words begin', () => {
  const marked = (query: string, text: string): string => pieces(text, wordsAt(query, text)).map((one) => (one.hit ? `<${one.text}>` : one.text)).join('');
  expect(marked('led', 'The Ledger, called led')).toBe('The <Led>ger, called <led>');
  expect(marked('a.b (', 'a.b (x) axb')).toBe('<a.b> <(>x) axb');
  expect(marked('  ', 'x')).toBe('x');
});

it('a long text is shown in parts that put together are the text', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, number) => `${number}\n`).join('');
  for (const text of ['', 'one', lines(1), lines(100), `${lines(250)}end`]) expect(parts(text).join('')).toBe(text);
  expect([parts(lines(100)).length, parts(`${lines(250)}end`).length]).toEqual([1, 3]);
});
