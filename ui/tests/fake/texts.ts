// Searching and replacing in memory, with the shapes and refusals of the real one.
import type { Failure, OutputOf, ParamsOf, Texts } from '$lib/api/generated';
import { fail, type FakeStore, type FakeSkill } from './store';
import type { SeedFile } from './seed';

function expression({ text, regex, case: matchCase, word }: Texts.Query): RegExp {
  const core = regex ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  try {
    return new RegExp(word ? `\\b(?:${core})\\b` : core, `gmu${matchCase ? '' : 'i'}`);
  } catch {
    throw fail('invalid', `"${text}" isn't a valid regular expression: unclosed group`, { hint: 'correct it, or search for plain text' });
  }
}

const instead = (query: Texts.Query, found: RegExpMatchArray, replacement: string): string =>
  query.regex ? replacement.replace(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '') : replacement;

function matchesIn(text: string, query: Texts.Query, replacement: string | null): Texts.Match[] {
  return [...text.matchAll(expression(query))].map((found) => {
    const end = found.index + found[0].length;
    const place = (offset: number): [number, number] => {
      const lines = text.slice(0, offset).split('\n');
      return [lines.length, Array.from(lines.at(-1) ?? '').length + 1];
    };
    const [[line, column], [end_line, end_column]] = [place(found.index), place(end)];
    const before = text.slice(text.lastIndexOf('\n', found.index - 1) + 1, found.index);
    const after = text.slice(end).split('\n')[0] ?? '';
    return { line, column, end_line, end_column, before, text: found[0], after, instead: replacement === null ? null : instead(query, found, replacement) };
  });
}

export class FakeTexts {
  /** Most matches of a search. */
  limit = 2_000;
  readonly #store: FakeStore;
  readonly #commit: (skill: FakeSkill, files: Map<string, SeedFile>) => void;

  constructor(store: FakeStore, commit: (skill: FakeSkill, files: Map<string, SeedFile>) => void) {
    this.#store = store;
    this.#commit = commit;
  }

  search({ query, replacement, scope, path }: ParamsOf<'text/search'>): OutputOf<'text/search'> {
    const found: Texts.SearchResult = { skills: [], matches: 0, files: 0, more: false };
    const all = this.#store.skills.filter(({ summary, deleted }) => !deleted && (summary.scope === 'account' || this.#store.workspace !== null) && (!scope || summary.scope === scope));
    all.sort((a, b) => b.summary.scope.localeCompare(a.summary.scope) || a.summary.slug.localeCompare(b.summary.slug));
    for (const { summary, files } of all) {
      const list: Texts.FileMatches[] = [];
      for (const [name, { text }] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (text === null || (path && !name.includes(path))) continue;
        const matches = matchesIn(text, query, replacement ?? null);
        const kept = matches.slice(0, this.limit - found.matches);
        found.more ||= kept.length < matches.length;
        if (kept.length === 0) continue;
        found.matches += kept.length;
        found.files += 1;
        list.push({ path: name, matches: kept });
      }
      const { id, slug, name, revision, locked } = summary;
      if (list.length > 0) found.skills.push({ id, slug, name, scope: summary.scope, revision, locked, files: list });
    }
    return found;
  }

  replace({ query, replacement, files }: ParamsOf<'text/replace'>): Texts.ReplaceReport {
    const done: Texts.ReplaceReport = { changed: [], refused: [] };
    for (const key of new Set(files.map(({ scope, skill }) => `${scope}:${skill}`))) {
      const mine = files.filter(({ scope, skill }) => `${scope}:${skill}` === key);
      const skill = this.#store.skills.find(({ summary }) => `${summary.scope}:${summary.id}` === key);
      if (!skill) continue;
      const { id, scope, slug } = skill.summary;
      const refusal = this.#refusal(skill, mine);
      if (refusal) {
        done.refused.push({ id, scope, failure: refusal });
        continue;
      }
      const after = new Map(skill.files);
      let count = 0;
      for (const { path, matches } of mine) {
        let index = -1;
        const text = (after.get(path)?.text ?? '').replace(expression(query), (...parts: unknown[]) => {
          index += 1;
          if (matches && !matches.includes(index)) return String(parts[0]);
          count += 1;
          return instead(query, parts.filter((part) => typeof part === 'string') as unknown as RegExpMatchArray, replacement);
        });
        after.set(path, { ...after.get(path), text });
      }
      this.#commit(skill, after);
      done.changed.push({ id, scope, slug, revision: skill.summary.revision, matches: count, files: mine.map(({ path }) => path) });
    }
    return done;
  }

  #refusal({ summary }: FakeSkill, files: ParamsOf<'text/replace'>['files']): Failure | null {
    const { slug, locked, revision, scope, id } = summary;
    if (locked) return fail('locked', `${slug} is locked`, { hint: 'duplicate it and edit the copy' });
    if (files.some((file) => file.revision !== revision)) return fail('revisionConflict', `${slug} was changed since the search`, { hint: 'search again' });
    const typed = files.find(({ path }) => [...this.#store.drafts.values()].some((draft) => draft.skill_id === id && draft.scope === scope && draft.path === path));
    return typed ? fail('unsavedDraft', `${typed.path} of ${slug} has unsaved changes`, { hint: 'save or discard them, then search again', fields: { path: typed.path } }) : null;
  }
}
