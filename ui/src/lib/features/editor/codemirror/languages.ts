import type { Extension } from '@codemirror/state';
import type { MarkdownConfig } from '@lezer/markdown';
import { extensionOf } from '$lib/domain';
import type { DocumentHelp } from '../help';
import type { Tongue } from './completion';

export interface Language {
  name: string;
  /** Prose is wrapped at the edge, code is not. */
  prose: boolean;
  indent: string;
  /** `help`: what is known about the document, for completion and what the pointer is on; without it there is neither. */
  load: (help?: DocumentHelp) => Promise<Extension>;
}

/** Completion, and help where the pointer is. */
async function helped(tongue: Tongue, help: DocumentHelp | undefined): Promise<Extension> {
  if (!help) return [];
  const [{ completions }, { pointing }] = await Promise.all([import('./completion'), import('./pointing')]);
  return [completions(tongue, help), pointing(help)];
}

/**
 * A paragraph is read in one go, again with every key that is typed in it: one of many lines is read in parts, so that a text
 * without blank lines doesn't stop the typing. Emphasis that spans two parts isn't shown.
 */
const LONG_PARAGRAPHS: MarkdownConfig = { parseBlock: [{ name: 'LongParagraph', endLeaf: (_, __, leaf) => leaf.content.length > 4_000 }] };

const MARKDOWN: Language = {
  name: 'Markdown',
  prose: true,
  indent: '  ',
  load: async (help) => {
    const [{ markdown }, { yamlFrontmatter }] = await Promise.all([
      import('@codemirror/lang-markdown'),
      import('@codemirror/lang-yaml'),
    ]);
    return [yamlFrontmatter({ content: markdown({ extensions: [LONG_PARAGRAPHS] }) }), await helped('markdown', help)];
  },
};
const JINJA: Language = {
  name: 'Jinja',
  prose: true,
  indent: '  ',
  load: async (help) => {
    const [{ jinja }, { jinjaEditing }] = await Promise.all([import('./jinja'), import('./jinjaEditing')]);
    return [jinja, jinjaEditing, await helped('template', help)];
  },
};
const PYTHON: Language = {
  name: 'Python',
  prose: false,
  indent: '    ',
  load: async (help) => {
    const [{ python }, { scriptTools }] = await Promise.all([import('@codemirror/lang-python'), import('./scriptTools')]);
    return [python(), help ? scriptTools(() => help.functions()) : [], await helped('script', help)];
  },
};
const JSON_: Language = {
  name: 'JSON',
  prose: false,
  indent: '  ',
  load: async (help) => [(await import('@codemirror/lang-json')).json(), await helped('json', help)],
};
const YAML: Language = {
  name: 'YAML',
  prose: false,
  indent: '  ',
  load: async () => (await import('@codemirror/lang-yaml')).yaml(),
};
const SHELL: Language = {
  name: 'Shell',
  prose: false,
  indent: '  ',
  load: async () => {
    const [{ StreamLanguage }, { shell }] = await Promise.all([
      import('@codemirror/language'),
      import('@codemirror/legacy-modes/mode/shell'),
    ]);
    return StreamLanguage.define(shell);
  },
};
const PLAIN: Language = { name: 'Plain text', prose: true, indent: '  ', load: () => Promise.resolve([]) };

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
