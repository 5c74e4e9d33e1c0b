// What a text names, in memory: variables of templates, artifacts of skill.json and links, found by their spelling alone.
import type { OutputOf, ParamsOf, Symbols, UnsavedText } from '$lib/api/generated';
import { variablesOf } from './render';
import SKILL_JSON from './skillJsonSchema.json';
import type { SeedFile } from './seed';
import { fail, type FakeSkill } from './store';

interface Ports {
  get: (ref: { skill: string; scope?: 'account' | 'workspace' | null }) => FakeSkill;
  /** The skill's texts are replaced by these. */
  write: (skill: FakeSkill, files: Map<string, SeedFile>, why: string) => OutputOf<'skill/edit'>;
}

const isTemplate = (path: string): boolean => /\.(j2|py)$/.test(path);

export class FakeSymbols {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  #texts(skill: FakeSkill, edits: readonly UnsavedText[] = []): Map<string, string> {
    const texts = new Map([...skill.files].flatMap(([path, { text }]): [string, string][] => (text === null ? [] : [[path, text]])));
    for (const { path, text } of edits) texts.set(path, text);
    return texts;
  }

  #variables(texts: Map<string, string>): Set<string> {
    return new Set([...texts].flatMap(([path, text]) => (isTemplate(path) ? variablesOf(text).map(({ name }) => name) : [])));
  }

  at({ path, line, column, edits, ...ref }: ParamsOf<'symbol/at'>): OutputOf<'symbol/at'> {
    const skill = this.#ports.get(ref);
    const texts = this.#texts(skill, edits);
    const text = texts.get(path)?.split('\n')[line - 1] ?? '';
    for (const found of text.matchAll(/\[[^\]]*\]\(([^)]+)\)|[\w-]+/g)) {
      const word = found[1] ?? found[0];
      const from = found[1] === undefined ? found.index : found.index + found[0].indexOf(word);
      if (column - 1 < from || column - 1 > from + word.length) continue;
      const location: Symbols.Location = { line, column: from + 1, end_line: line, end_column: from + word.length + 1, before: text.slice(0, from), text: word, after: text.slice(from + word.length) };
      const plain: Omit<Symbols.SymbolInformation, 'symbol' | 'targets' | 'renames'> = { location, title: word, about: '', facts: [] };
      const to = (file: string, at = 1): Symbols.SymbolInformation['targets'] => [{ in: 'skill', skill: skill.summary.id, scope: skill.summary.scope, path: file, line: at, column: 1 }];
      if (texts.has(word)) return { symbol: { ...plain, symbol: { kind: 'file', path: word }, targets: to(word), renames: false } };
      if (isTemplate(path) && this.#variables(texts).has(word)) {
        const first = [...texts].find(([file, one]) => isTemplate(file) && one.includes(word));
        const at = (first?.[1].slice(0, first[1].indexOf(word)).split('\n').length ?? 1);
        return { symbol: { ...plain, symbol: { kind: 'variable', name: word }, targets: to(first?.[0] ?? path, at), renames: true } };
      }
    }
    return { symbol: null };
  }

  #locations(skill: FakeSkill, texts: Map<string, string>, name: string, which: (path: string) => boolean): Symbols.FileLocations[] {
    const { id, scope, slug, name: title } = skill.summary;
    return [...texts].filter(([path]) => which(path)).flatMap(([path, text]) => {
      const locations = text.split('\n').flatMap((line, index) =>
        [...line.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].map(({ index: at }): Symbols.Location => ({ line: index + 1, column: at + 1, end_line: index + 1, end_column: at + name.length + 1, before: line.slice(0, at), text: name, after: line.slice(at + name.length) })),
      );
      return locations.length === 0 ? [] : [{ skill: id, scope, slug, name: title, path, locations }];
    });
  }

  uses({ symbol, edits, ...ref }: ParamsOf<'symbol/uses'>): OutputOf<'symbol/uses'> {
    const skill = this.#ports.get(ref);
    const texts = this.#texts(skill, edits);
    const name = 'name' in symbol ? symbol.name : symbol.path;
    return { uses: this.#locations(skill, texts, name, isTemplate), mentions: this.#locations(skill, texts, name, (path) => path.endsWith('.json')) };
  }

  renamePreview({ symbol, to, ...ref }: ParamsOf<'symbol/rename_preview'>): OutputOf<'symbol/rename_preview'> {
    const known = this.#variables(this.#texts(this.#ports.get(ref)));
    if (!/^[A-Za-z_]\w*$/.test(to)) throw fail('invalid', `"${to}" can't be the name of a variable`, { hint: 'use letters, digits and _' });
    if (known.has(to)) throw fail('exists', `a template asks for ${to} already: the two would be one`, { hint: 'choose another name' });
    return { ...this.uses({ symbol, ...ref }), inputs: 1, inputs_elsewhere: 0, actions: 0 };
  }

  rename({ symbol, to, ...ref }: ParamsOf<'symbol/rename'>): OutputOf<'symbol/rename'> {
    const { uses, mentions } = this.renamePreview({ symbol, to, ...ref });
    const skill = this.#ports.get(ref);
    const name = 'name' in symbol ? symbol.name : symbol.path;
    const files = new Map([...skill.files].map(([path, file]): [string, SeedFile] => [path, file.text !== null && isTemplate(path) ? { ...file, text: file.text.replace(new RegExp(`\\b${name}\\b`, 'g'), to) } : file]));
    const result = this.#ports.write(skill, files, `renamed ${name} to ${to}`);
    return { result, uses: uses.reduce((sum, { locations }) => sum + locations.length, 0), inputs: 1, inputs_elsewhere: 0, actions: 0, mentions };
  }

  names({ edits, ...ref }: ParamsOf<'symbol/names'>): Symbols.Names {
    const skill = this.#ports.get(ref);
    const texts = this.#texts(skill, edits);
    const variables = [...this.#variables(texts)].sort().map((name) => ({ ...variablesOf(`{{ ${name} }}`)[0], name, shape: 'text' as const, fields: [], optional: false, asked_by: [], given_by: [], declared: false }));
    return { revision: skill.summary.revision, variables, outputs: [], artifacts: [], files: [...skill.files.keys()].sort(), anchors: {} };
  }

  language(): OutputOf<'symbol/language'> {
    const word = (name: string): { name: string; about: string } => ({ name, about: `${name}.` });
    return { filters: [word('join'), word('upper')], tests: [word('defined')], functions: [word('range')], frontmatter: [word('name'), word('description'), word('license')], skill_json: SKILL_JSON, dspy_module: {} };
  }
}
