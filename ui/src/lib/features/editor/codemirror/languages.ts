import type { Extension } from '@codemirror/state';
import type { MarkdownConfig } from '@lezer/markdown';
import { extensionOf } from '$lib/domain';
import type { DocumentHelp } from '../help';
import type { CompletionLanguage } from './completion';

/** Builds a language's extensions for one document. */
type Builder = (help: DocumentHelp | undefined) => Extension;

/** `help`: what is known about the document, for completion and hover; without it there is neither. */
export interface Language {
  name: string;
  /** Prose is wrapped at the edge, code is not. */
  prose: boolean;
  indent: string;
  load: (help?: DocumentHelp) => Promise<Extension>;
  /** The same at once; null until it was loaded for the first time. */
  loaded: (help?: DocumentHelp) => Extension | null;
}

function language({ name, prose, indent }: Pick<Language, 'name' | 'prose' | 'indent'>, modules: () => Promise<Builder>): Language {
  let build: Builder | null = null;
  return {
    name,
    prose,
    indent,
    load: async (help) => (build ??= await modules())(help),
    loaded: (help) => build?.(help) ?? null,
  };
}

/** Completion and hover in a syntax. */
async function assistance(name: CompletionLanguage): Promise<Builder> {
  const [{ completions }, { pointing }] = await Promise.all([import('./completion'), import('./pointing')]);
  return (help) => (help ? [completions(name, help), pointing(help)] : []);
}

/**
 * A paragraph is read in one go, again with every key that is typed in it: one of many lines is read in parts, so that a text
 * without blank lines doesn't stop the typing. Emphasis that spans two parts isn't shown.
 */
const LONG_PARAGRAPHS: MarkdownConfig = { parseBlock: [{ name: 'LongParagraph', endLeaf: (_, __, leaf) => leaf.content.length > 4_000 }] };

const MARKDOWN = language({ name: 'Markdown', prose: true, indent: '  ' }, async () => {
  const [{ markdown }, { yamlFrontmatter }, assist] = await Promise.all([
    import('@codemirror/lang-markdown'),
    import('@codemirror/lang-yaml'),
    assistance('markdown'),
  ]);
  const syntax = yamlFrontmatter({ content: markdown({ extensions: [LONG_PARAGRAPHS] }) });
  return (help) => [syntax, assist(help)];
});
const JINJA = language({ name: 'Jinja', prose: true, indent: '  ' }, async () => {
  const [{ jinja }, { jinjaEditing }, assist] = await Promise.all([import('./jinja'), import('./jinjaEditing'), assistance('template')]);
  return (help) => [jinja, jinjaEditing, assist(help)];
});
const PYTHON = language({ name: 'Python', prose: false, indent: '    ' }, async () => {
  const [{ python }, { scriptTools }, assist] = await Promise.all([
    import('@codemirror/lang-python'),
    import('./scriptTools'),
    assistance('script'),
  ]);
  const syntax = python();
  return (help) => [syntax, help ? scriptTools(() => help.functions()) : [], assist(help)];
});
const JSON_ = language({ name: 'JSON', prose: false, indent: '  ' }, async () => {
  const [{ json }, assist] = await Promise.all([import('@codemirror/lang-json'), assistance('json')]);
  const syntax = json();
  return (help) => [syntax, assist(help)];
});
const YAML = language({ name: 'YAML', prose: false, indent: '  ' }, async () => {
  const syntax = (await import('@codemirror/lang-yaml')).yaml();
  return () => syntax;
});
const SHELL = language({ name: 'Shell', prose: false, indent: '  ' }, async () => {
  const [{ StreamLanguage }, { shell }] = await Promise.all([
    import('@codemirror/language'),
    import('@codemirror/legacy-modes/mode/shell'),
  ]);
  const syntax = StreamLanguage.define(shell);
  return () => syntax;
});
const PLAIN: Language = { name: 'Plain text', prose: true, indent: '  ', load: () => Promise.resolve([]), loaded: () => [] };

const BY_ENDING: Record<string, Language> = {
  md: MARKDOWN,
  markdown: MARKDOWN,
  j2: JINJA,
  jinja: JINJA,
  jinja2: JINJA,
  py: PYTHON,
  json: JSON_,
  yaml: YAML,
  yml: YAML,
  sh: SHELL,
  bash: SHELL,
  zsh: SHELL,
};

export function languageOf(path: string): Language {
  return BY_ENDING[extensionOf(path)] ?? PLAIN;
}
