import type { Symbols } from '$lib/api/generated';

// Completions for templates. Only the text before the cursor is read, by patterns, since a template that is being typed doesn't parse.

export interface Offer {
  label: string;
  kind: 'variable' | 'property' | 'filter' | 'test' | 'function' | 'keyword' | 'snippet';
  /** A word or two beside the label. */
  detail?: string;
  about?: string;
  facts?: readonly string[];
  /** A snippet with `${}` at the cursor. It also replaces the end of the current statement. */
  template?: string;
  boost?: number;
}

export interface Offers {
  /** Start of the current word. */
  from: number;
  offers: Offer[];
}

/** Complete statements, without the leading `{% `. */
const STATEMENTS: readonly Offer[] = [
  ['for', 'for ${item} in ${items} %}\n${}\n{% endfor %}', 'for … endfor'],
  ['if', 'if ${condition} %}\n${}\n{% endif %}', 'if … endif'],
  ['if else', 'if ${condition} %}\n${}\n{% else %}\n${}\n{% endif %}', 'if … else … endif'],
  ['set', 'set ${name} = ${value} %}', 'set a name'],
  ['set block', 'set ${name} %}${}{% endset %}', 'set … endset'],
  ['macro', 'macro ${name}(${arguments}) %}\n${}\n{% endmacro %}', 'macro … endmacro'],
  ['with', 'with ${name} = ${value} %}\n${}\n{% endwith %}', 'with … endwith'],
  ['filter', 'filter ${name} %}${}{% endfilter %}', 'filter … endfilter'],
  ['raw', 'raw %}${}{% endraw %}', 'unprocessed text'],
].map(([label = '', template = '', detail = '']) => ({ label, template, detail, kind: 'snippet' }));

const SINGLE = ['else', 'elif ${condition}', 'endif', 'endfor', 'endset', 'endmacro', 'endwith', 'endfilter', 'endraw', 'break', 'continue'];
const KEYWORDS = ['and', 'or', 'not', 'in', 'is', 'if', 'else', 'true', 'false', 'none'];
const LOOP = ['index', 'index0', 'revindex', 'revindex0', 'first', 'last', 'length', 'depth', 'depth0', 'previtem', 'nextitem', 'cycle', 'changed'];

/** Characters before the cursor in which an opening brace is searched. */
const MAX_BRACE_DISTANCE = 4_000;

/** The text of the statement or expression so far. Null outside of both, and in a comment. */
function inside(before: string): { kind: 'statement' | 'expression'; inner: string } | null {
  const text = before.slice(-MAX_BRACE_DISTANCE);
  let at = -1;
  // A comment matches as a whole, so that braces in it don't count.
  for (const found of text.matchAll(/\{#[\s\S]*?(?:#\}|$)|\{\{|\{%|\}\}|%\}/g)) at = found.index;
  const mark = text.slice(at, at + 2);
  if (at < 0 || (mark !== '{{' && mark !== '{%')) return null;
  return { kind: mark === '{%' ? 'statement' : 'expression', inner: text.slice(at + 2).replace(/^[-+]/, '') };
}

/** Whether the end of an expression is in a string literal. */
const inQuotes = (inner: string): boolean => /^(?:[^"']|"[^"]*"|'[^']*')*["'][^"']*$/.test(inner);

/** Names that the template defines. The value is the list that a loop variable iterates over. */
function locals(before: string): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const [, names = '', list = ''] of before.matchAll(/\{%[-+]?\s*for\s+([\w\s,]+?)\s+in\s+([\w.]+)/g)) {
    for (const name of names.split(',')) found.set(name.trim(), names.includes(',') ? null : list);
  }
  for (const [, name = ''] of before.matchAll(/\{%[-+]?\s*(?:set|macro|with)\s+(\w+)/g)) found.set(name, null);
  return found;
}

const factsOf = ({ asked_by, given_by }: Symbols.KnownVariable): string[] => [
  ...(asked_by.length > 0 ? [`Required by ${asked_by.join(', ')}.`] : []),
  ...(given_by.length > 0 ? [`Output of ${given_by.join(', ')}.`] : []),
];

const shapeOf = (variable: Symbols.KnownVariable): string | null => ({ text: null, list: 'list', object: 'object' })[variable.shape];

export const variableOffer = (variable: Symbols.KnownVariable): Offer => ({
  label: variable.name,
  kind: 'variable',
  detail: shapeOf(variable) ?? variable.asked_by[0] ?? variable.given_by[0] ?? '',
  about: variable.description ?? '',
  facts: factsOf(variable),
  boost: 2,
});

function fieldsOf(name: string, before: string, names: Symbols.Names): Offer[] {
  if (name === 'loop') return LOOP.map((label) => ({ label, kind: 'property' }));
  const list = locals(before).get(name);
  const of = names.variables.find((variable) => variable.name === (list ?? name));
  const fits = of && (list ? of.shape === 'list' : of.shape === 'object');
  return fits ? of.fields.map((label) => ({ label, kind: 'property', detail: of.name })) : [];
}

const outputs = (names: Symbols.Names, spell: (key: string) => string = (key) => key): Offer[] =>
  names.outputs.map((one) => ({ label: spell(one.key), kind: 'variable', detail: one.artifact, facts: one.fields.length > 0 ? [`Fields: ${one.fields.join(', ')}.`] : [] }));

function words(list: Symbols.LanguageData['filters'], kind: 'filter' | 'test' | 'function'): Offer[] {
  return list.map(({ name, about }) => ({ label: name, kind, about, ...(kind === 'function' ? { boost: -1 } : {}) }));
}

function values(before: string, names: Symbols.Names, language: Symbols.LanguageData): Offer[] {
  const own = [...locals(before)].map(([label, list]): Offer => ({ label, kind: 'variable', detail: list ? `of ${list}` : 'here', boost: 3 }));
  const taken = new Set(own.map(({ label }) => label));
  return [
    ...own,
    ...names.variables.filter(({ name }) => !taken.has(name)).map(variableOffer),
    ...(names.outputs.length > 0 ? [{ label: 'outputs', kind: 'variable' as const, detail: 'of artifacts', about: 'Outputs of the previous artifacts, by name.' }] : []),
    ...(/\{%[-+]?\s*for\b/.test(before) ? [{ label: 'loop', kind: 'variable' as const, detail: 'of the loop', about: 'State of the loop: index, first, last, length.' }] : []),
    ...words(language.functions, 'function'),
    ...KEYWORDS.map((label): Offer => ({ label, kind: 'keyword', boost: -2 })),
  ];
}

/** Completions at the end of `before`. With `explicit`, also if no word was begun. */
export function templateOffers(before: string, names: Symbols.Names, language: Symbols.LanguageData, explicit: boolean): Offers | null {
  const context = inside(before);
  const ends = (pattern: RegExp): RegExpExecArray | null => pattern.exec(context?.inner ?? before);
  const offered = (word: string, offers: Offer[]): Offers | null => (offers.length === 0 ? null : { from: before.length - word.length, offers });
  if (!context) {
    const word = /\w*$/.exec(before)?.[0] ?? '';
    if (!explicit || before.endsWith('{')) return null;
    const wrapped = names.variables.map((variable): Offer => ({ ...variableOffer(variable), template: `{{ ${variable.name} }}` }));
    return offered(word, [...wrapped, ...STATEMENTS.map((one) => ({ ...one, template: `{% ${one.template ?? ''}` }))]);
  }
  // A new name isn't completed: the best match would be the name itself, as far as it is typed.
  if (!explicit && ends(/^\s*(?:(?:set|macro)\s+\w*|for\s+(?:(?!\bin\b)[\w\s,])*)$/)) return null;
  const key = ends(/\boutputs\s*\[\s*["']([\w-]*)$/);
  if (key) return offered(key[1] ?? '', outputs(names));
  if (inQuotes(context.inner)) return null;
  const statement = context.kind === 'statement' ? ends(/^\s*(\w*)$/) : null;
  if (statement) {
    const single = SINGLE.map((template): Offer => ({ label: template.replace(/ .*/, ''), kind: 'keyword', template: `${template} %}` }));
    return offered(statement[1] ?? '', [...STATEMENTS, ...single]);
  }
  const filter = ends(/\|\s*(\w*)$/);
  if (filter) return offered(filter[1] ?? '', words(language.filters, 'filter'));
  const test = ends(/\bis\s+(?:not\s+)?(\w*)$/);
  if (test) return offered(test[1] ?? '', words(language.tests, 'test'));
  const output = ends(/\boutputs\s*\.\s*(\w*)$/);
  if (output) return offered(output[1] ?? '', outputs(names));
  const part = ends(/\boutputs\s*\.\s*(\w+)\s*\.\s*(\w*)$/);
  if (part) return offered(part[2] ?? '', names.outputs.find(({ key }) => key === part[1])?.fields.map((label) => ({ label, kind: 'property' })) ?? []);
  const field = ends(/(?:^|[^\w.])(\w+)\s*\.\s*(\w*)$/);
  if (field) return offered(field[2] ?? '', fieldsOf(field[1] ?? '', before, names));
  const word = ends(/(?:^|[^\w.])([A-Za-z_]\w*)?$/);
  if (!word || (word[1] === undefined && !explicit && !/[{(,=\s]$/.test(context.inner) && context.inner !== '')) return null;
  if (word[1] === undefined && !explicit && context.inner.trim() !== '') return null;
  return offered(word[1] ?? '', values(before.slice(0, before.length - (word[1] ?? '').length), names, language));
}

/** The filter, test or function at a position. Null if there is none. */
export function wordAt(line: string, at: number, language: Symbols.LanguageData): { from: number; to: number; name: string; about: string } | null {
  for (const found of line.matchAll(/(\|\s*|\bis\s+(?:not\s+)?)?\b([A-Za-z_]\w*)(\s*\()?/g)) {
    const [, mark, name = '', call] = found;
    const from = found.index + (mark?.length ?? 0);
    if (at < from || at > from + name.length) continue;
    const list = mark?.startsWith('|') ? language.filters : mark ? language.tests : call ? language.functions : [];
    const known = list.find((one) => one.name === name);
    return known && inside(line.slice(0, from)) ? { from, to: from + name.length, name, about: known.about } : null;
  }
  return null;
}
