import {
  acceptCompletion,
  autocompletion,
  type Completion,
  completionKeymap,
  type CompletionResult,
  type CompletionSource,
  pickedCompletion,
  snippet,
} from '@codemirror/autocomplete';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import type { Symbols } from '$lib/api/generated';
import { type DocumentHelp, SKILL_JSON, SKILL_MD } from '../help';
import { card } from './card';
import { type JsonOffer, jsonOffers, jsonPosition, type Shape } from './jsonOffers';
import { frontmatterOffers, markdownOffers, type TextOffer } from './markdownOffers';
import { type Offer, templateOffers } from './templateOffers';

/** Characters of a template that are read before the cursor. */
const MAX_TEMPLATE_CONTEXT = 20_000;
/** JSON is scanned from the start of the file, so that far cursors get no completion. */
const MAX_JSON_CONTEXT = 400_000;

/** The completion list. Its sources are added by language. */
export const completionList: Extension = [
  autocompletion({ icons: false, defaultKeymap: false, maxRenderedOptions: 60 }),
  // Before other handlers of Enter, Tab and the arrow keys, while the list is open.
  Prec.highest(keymap.of([...completionKeymap, { key: 'Tab', run: acceptCompletion }])),
];

const info = (label: string, about = '', facts: readonly string[] = []): Pick<Completion, 'info'> =>
  about === '' && facts.length === 0 ? {} : { info: () => card(label, about, facts) };

/** Length of the closing brackets after the cursor, which were inserted with the opening ones. A template brings its own. */
const closing = (view: EditorView, to: number): number => /^[ \t]*(?:[-+]?%?\})?\}?/.exec(view.state.sliceDoc(to, to + 20))?.[0].length ?? 0;

function insertTemplate(template: string) {
  return (view: EditorView, completion: Completion, from: number, to: number): void => {
    snippet(template)(view, completion, from, to + closing(view, to));
  };
}

function fromTemplate({ label, kind, detail, about, facts, template, boost }: Offer): Completion {
  const wrapped = template?.startsWith('{{') === true;
  return {
    label,
    type: kind,
    ...(detail ? { detail } : {}),
    ...(boost === undefined ? {} : { boost }),
    ...info(label, about, facts),
    ...(template === undefined || wrapped ? {} : { apply: insertTemplate(template) }),
    ...(wrapped ? { apply: template } : {}),
  };
}

/**
 * The names without those that come from partly typed words of this text. The list may be older than the text: a name that only this artifact
 * uses is dropped if `rest`, the text without the word that is being typed, doesn't contain it.
 */
export function withoutPartialNames(names: Symbols.Names, rest: string, artifact: string | null, word = ''): Symbols.Names {
  const occurs = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(rest);
  const stays = ({ name, asked_by, given_by, declared }: Symbols.KnownVariable): boolean =>
    declared || given_by.length > 0 || asked_by.some((one) => one !== artifact) || occurs(name);
  // The source of a field is unknown. One that is a prefix of the word may be that word as it was a moment ago.
  const whole = (field: string): boolean => word === '' || !word.startsWith(field) || occurs(field);
  return { ...names, variables: names.variables.filter(stays).map((variable) => ({ ...variable, fields: variable.fields.filter(whole) })) };
}

function templates(help: DocumentHelp): CompletionSource {
  return async ({ state, pos, explicit }) => {
    const before = state.sliceDoc(Math.max(0, pos - MAX_TEMPLATE_CONTEXT), pos);
    // Most of a prompt is prose, in which nothing is completed without a request.
    if (!explicit && !/\{[{%][^}]*$/.test(before.slice(-2_000))) return null;
    const [names, language] = await Promise.all([help.names(), help.language()]);
    const word = /\w*$/.exec(before)?.[0] ?? '';
    const rest = state.sliceDoc(0, pos - word.length) + state.sliceDoc(pos);
    const found = names && templateOffers(before, withoutPartialNames(names, rest, help.artifact(), word), language, explicit);
    return found && { from: pos - before.length + found.from, options: found.offers.map(fromTemplate), validFor: /^\w*$/ };
  };
}

function fromJson({ label, detail, about, json, value }: JsonOffer): Completion {
  return {
    label,
    type: value === undefined ? 'constant' : 'property',
    ...(detail ? { detail } : {}),
    ...info(label, about),
    apply: (view, completion, from, to) => {
      // Typing the opening quote inserted the closing one.
      const quoted = view.state.sliceDoc(from, from + 1) === '"' && view.state.sliceDoc(to, to + 1) === '"';
      const end = to + (quoted ? 1 : 0);
      const follows = /^\s*:/.test(view.state.sliceDoc(end, end + 40));
      if (value !== undefined && !follows) snippet(`${json.replace(/[{}\\$]/g, '\\$&')}: ${value}`)(view, completion, from, end);
      else view.dispatch({ changes: { from, to: end, insert: json }, selection: { anchor: from + json.length }, annotations: pickedCompletion.of(completion), userEvent: 'input.complete' });
    },
  };
}

const NOTHING: Symbols.Names = { revision: 0, variables: [], outputs: [], artifacts: [], files: [], anchors: {} };

function json(help: DocumentHelp): CompletionSource {
  return async ({ state, pos, explicit }): Promise<CompletionResult | null> => {
    const module = help.kind() === 'dspy_module';
    if (pos > MAX_JSON_CONTEXT || (help.path() !== SKILL_JSON && !module)) return null;
    const position = jsonPosition(state.sliceDoc(0, pos));
    if (!position || (!explicit && !position.quoted && position.from === pos)) return null;
    const [names, language] = await Promise.all([help.names(), help.language()]);
    const root = (module ? language.dspy_module : language.skill_json) as Shape;
    const options = jsonOffers(position, root, names ?? NOTHING, help.skills()).map(fromJson);
    if (options.length === 0) return null;
    // The typed text has an opening quote, the labels that CodeMirror compares it with don't.
    const from = position.from + (position.quoted ? 1 : 0);
    const shifted = (one: Completion): Completion => ({
      ...one,
      apply: (view, completion, begin, to) => {
        if (typeof one.apply === 'function') one.apply(view, completion, begin - (position.quoted ? 1 : 0), to);
      },
    });
    return { from, options: options.map(shifted), validFor: /^[\w ./-]*$/ };
  };
}

const fromText = ({ label, detail, about, insert }: TextOffer): Completion => ({
  label,
  type: 'text',
  ...(detail ? { detail } : {}),
  ...info(label, about),
  ...(insert === undefined ? {} : { apply: insert }),
});

function markdown(help: DocumentHelp): CompletionSource {
  return async ({ state, pos, explicit }) => {
    const before = state.sliceDoc(0, pos);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    const isLink = /\]\([^()\s]*$/.test(line) || /`[\w./-]+$/.test(line) || (explicit && line.endsWith('`'));
    const found = isLink
      ? await help.names().then((names) => names && markdownOffers(before, help.path(), names))
      : help.path() === SKILL_MD && (explicit || /(?:^|\n)[\w-]+$/.test(before))
        ? frontmatterOffers(before, state.sliceDoc(pos), await help.language())
        : null;
    return found && found.offers.length > 0 ? { from: found.from, options: found.offers.map(fromText), validFor: /^[\w./%-]*$/ } : null;
  };
}

/** Names of skills, in the calls of a script that expect one. */
function skills(help: DocumentHelp): CompletionSource {
  return ({ state, pos }) => {
    const line = state.doc.lineAt(pos);
    const word = /\b(?:run_skill|skills\.read)\s*\(\s*["']([\w-]*)$/.exec(state.sliceDoc(line.from, pos));
    if (!word) return null;
    return { from: pos - (word[1] ?? '').length, options: help.skills().map(({ slug, name }) => ({ label: slug, detail: name, type: 'text' })), validFor: /^[\w-]*$/ };
  };
}

export type CompletionLanguage = 'template' | 'json' | 'markdown' | 'script';

/** Completes names of the skill, and keys and values of files with a known schema. */
export function completions(language: CompletionLanguage, help: DocumentHelp): Extension {
  const sources: CompletionSource[] = {
    template: () => [templates(help)],
    json: () => [json(help)],
    markdown: () => [markdown(help)],
    // Only declared scripts are rendered as templates.
    script: () => [skills(help), (context) => (help.kind() === 'code_template' ? templates(help)(context) : null)] as CompletionSource[],
  }[language]();
  const data = sources.map((autocomplete) => ({ autocomplete }));
  return EditorState.languageData.of(() => data);
}
