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
import { type JsonOffer, jsonOffers, jsonPlace, type Shape } from './jsonOffers';
import { frontmatterOffers, markdownOffers, type TextOffer } from './markdownOffers';
import { type Offer, templateOffers } from './templateOffers';

/** How far back a template, and how far a JSON file, is read for a completion. */
const TEMPLATE = 20_000;
const WHOLE = 400_000;

/** The list of completions itself; what is in it comes from the languages. */
export const completionList: Extension = [
  autocompletion({ icons: false, defaultKeymap: false, maxRenderedOptions: 60 }),
  // Enter, Tab and the arrows belong to the list while it is open.
  Prec.highest(keymap.of([...completionKeymap, { key: 'Tab', run: acceptCompletion }])),
];

const info = (label: string, about = '', facts: readonly string[] = []): Pick<Completion, 'info'> =>
  about === '' && facts.length === 0 ? {} : { info: () => card(label, about, facts) };

/** What closes a statement already, behind the cursor: brackets close themselves while they are typed. */
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

/** Without what only this text asks for and doesn't say any more, or not yet: words half typed. `rest` is the text without the word being typed. */
export function withoutHalves(names: Symbols.Names, rest: string, artifact: string | null, word = ''): Symbols.Names {
  const said = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(rest);
  const stays = ({ name, asked_by, given_by, declared }: Symbols.KnownVariable): boolean =>
    declared || given_by.length > 0 || asked_by.some((one) => one !== artifact) || said(name);
  // Nobody says where a field is from: one that the word begins with is the word itself, as it was a moment ago.
  const whole = (field: string): boolean => word === '' || !word.startsWith(field) || said(field);
  return { ...names, variables: names.variables.filter(stays).map((variable) => ({ ...variable, fields: variable.fields.filter(whole) })) };
}

function templates(help: DocumentHelp): CompletionSource {
  return async ({ state, pos, explicit }) => {
    const before = state.sliceDoc(Math.max(0, pos - TEMPLATE), pos);
    // Most of a prompt is prose: nothing is asked for while it is typed.
    if (!explicit && !/\{[{%][^}]*$/.test(before.slice(-2_000))) return null;
    const [names, words] = await Promise.all([help.names(), help.words()]);
    const word = /\w*$/.exec(before)?.[0] ?? '';
    const rest = state.sliceDoc(0, pos - word.length) + state.sliceDoc(pos);
    const found = names && templateOffers(before, withoutHalves(names, rest, help.artifact(), word), words, explicit);
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
      // The closing quote stands there already when the opening one was typed.
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
    if (pos > WHOLE || (help.path() !== SKILL_JSON && !module)) return null;
    const place = jsonPlace(state.sliceDoc(0, pos));
    if (!place || (!explicit && !place.quoted && place.from === pos)) return null;
    const [names, words] = await Promise.all([help.names(), help.words()]);
    const root = (module ? words.dspy_module : words.skill_json) as Shape;
    const options = jsonOffers(place, root, names ?? NOTHING, help.skills()).map(fromJson);
    if (options.length === 0) return null;
    // What is typed so far has its quote; what it is compared with hasn't.
    const from = place.from + (place.quoted ? 1 : 0);
    const shifted = (one: Completion): Completion => ({
      ...one,
      apply: (view, completion, begin, to) => {
        if (typeof one.apply === 'function') one.apply(view, completion, begin - (place.quoted ? 1 : 0), to);
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
        ? frontmatterOffers(before, state.sliceDoc(pos), await help.words())
        : null;
    return found && found.offers.length > 0 ? { from: found.from, options: found.offers.map(fromText), validFor: /^[\w./%-]*$/ } : null;
  };
}

/** Skills that a script can call by name. */
function skills(help: DocumentHelp): CompletionSource {
  return ({ state, pos }) => {
    const line = state.doc.lineAt(pos);
    const word = /\b(?:run_skill|skills\.read)\s*\(\s*["']([\w-]*)$/.exec(state.sliceDoc(line.from, pos));
    if (!word) return null;
    return { from: pos - (word[1] ?? '').length, options: help.skills().map(({ slug, name }) => ({ label: slug, detail: name, type: 'text' })), validFor: /^[\w-]*$/ };
  };
}

export type Tongue = 'template' | 'json' | 'markdown' | 'script';

/** Completion of what a skill's own names and our files' shapes offer. */
export function completions(tongue: Tongue, help: DocumentHelp): Extension {
  const sources: CompletionSource[] = {
    template: () => [templates(help)],
    json: () => [json(help)],
    markdown: () => [markdown(help)],
    // Only a declared script is a template.
    script: () => [skills(help), (context) => (help.kind() === 'code_template' ? templates(help)(context) : null)] as CompletionSource[],
  }[tongue]();
  const data = sources.map((autocomplete) => ({ autocomplete }));
  return EditorState.languageData.of(() => data);
}
