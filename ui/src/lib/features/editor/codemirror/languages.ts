import type { Extension } from '@codemirror/state';
import { extensionOf } from '$lib/domain';
import type { ScriptFunctions } from './scriptTools';

export interface Language {
  name: string;
  /** Prose is wrapped at the edge, code is not. */
  prose: boolean;
  indent: string;
  /** `functions`: what scripts can import, for completion and help; without it there is neither. */
  load: (functions?: ScriptFunctions) => Promise<Extension>;
}

const MARKDOWN: Language = {
  name: 'Markdown',
  prose: true,
  indent: '  ',
  load: async () => {
    const [{ markdown }, { yamlFrontmatter }] = await Promise.all([
      import('@codemirror/lang-markdown'),
      import('@codemirror/lang-yaml'),
    ]);
    return yamlFrontmatter({ content: markdown() });
  },
};
const JINJA: Language = {
  name: 'Jinja',
  prose: true,
  indent: '  ',
  load: async () => (await import('./jinja')).jinja,
};
const PYTHON: Language = {
  name: 'Python',
  prose: false,
  indent: '    ',
  load: async (functions) => {
    const [{ python }, { scriptTools }] = await Promise.all([import('@codemirror/lang-python'), import('./scriptTools')]);
    return functions ? [python(), scriptTools(functions)] : python();
  },
};
const JSON_: Language = {
  name: 'JSON',
  prose: false,
  indent: '  ',
  load: async () => (await import('@codemirror/lang-json')).json(),
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
