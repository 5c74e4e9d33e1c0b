import { describe, expect, it } from 'vitest';
import type { Script } from '$lib/api/generated';
import { completionsAt, importsOf, memberAt, offersBelow } from './scriptApi';

const member = (name: string, kind: Script.ScriptFunction['kind'] = 'function'): Script.ScriptFunction => ({ name, kind, signature: `${name}()`, returns: '', doc: '' });
const FUNCTIONS = [member('search'), member('get_page'), member('skills.list'), member('skills.run'), member('Page', 'class')];

const names = (before: string, text = ''): string[] | null => completionsAt(before, importsOf(text), FUNCTIONS)?.offers.map((one) => one.name) ?? null;
const ALL = ['search', 'get_page', 'skills', 'Page'];

describe('imports', () => {
  it('are read with their other names', () => {
    const { modules, names: imported } = importsOf('import inklings as ink\nfrom inklings import search, get_page as page  # two\nfrom inklings import (\n  skills,  # many\n  Page,\n)\nimport inklingsx\n');
    expect([...modules]).toEqual(['inklings', 'ink']);
    expect([...imported]).toEqual([['search', 'search'], ['page', 'get_page'], ['skills', 'skills'], ['Page', 'Page']]);
  });
});

describe('completion', () => {
  it.each([
    ['inklings.', ALL],
    ['x = inklings.se', ALL],
    ['print(inklings.', ALL],
    ['inklings.skills.', ['list', 'run']],
    ['from inklings import ', ALL],
    ['from inklings import search, get', ALL],
    ['from inklings import (search, ', ALL],
    ['from inklings import search as find, ', ALL],
    ['other.', null],
    ['my.inklings.', null],
    ['inklings.nothing.', null],
    ['inklings', null],
    ['from inklings import search as fi', null],
  ])('after %j', (before, expected) => {
    expect(names(before)).toEqual(expected);
  });

  it('knows other names of the module and of its parts', () => {
    expect(names('ink.', 'import inklings as ink\n')).toEqual(ALL);
    expect(names('skills.', 'from inklings import skills\n')).toEqual(['list', 'run']);
    expect(names('skills.')).toBeNull();
  });

  it('begins where the word does', () => {
    expect(completionsAt('inklings.get_p', importsOf(''), FUNCTIONS)?.from).toBe('inklings.'.length);
  });

  it('offers a part once', () => {
    expect(offersBelow(FUNCTIONS, '').map((one) => [one.name, one.member === null])).toEqual([['search', false], ['get_page', false], ['skills', true], ['Page', false]]);
  });
});

describe('help', () => {
  const at = (line: string, text = ''): string | null => memberAt(line.replace('|', ''), line.indexOf('|'), importsOf(text), FUNCTIONS)?.member.name ?? null;

  it.each([
    ['inklings.se|arch("x")', 'search'],
    ['for one in inklings.skills.li|st():', 'skills.list'],
    ['from inklings import Pa|ge', 'Page'],
    ['inklings.search(in|klings.get_page("a"))', null],
    ['inklings.search(inklings.get_p|age("a"))', 'get_page'],
    ['sea|rch("x")', null],
    ['other.sea|rch("x")', null],
  ])('on %j', (line, expected) => {
    expect(at(line)).toBe(expected);
  });

  it('is there for what was imported by name', () => {
    expect(at('fin|d("x")', 'from inklings import search as find\n')).toBe('search');
    expect(at('skills.ru|n("x")', 'from inklings import skills\n')).toBe('skills.run');
  });
});
