import type { Options, Plugin } from 'prettier';
import { tidied } from './tidy';

/** Why a text can’t be formatted. */
export class FormatError extends Error {
  readonly line: number | null;

  constructor(message: string, line: number | null = null) {
    super(message);
    this.line = line;
  }
}

const OPTIONS: Options = { printWidth: 120, tabWidth: 2, endOfLine: 'lf', proseWrap: 'preserve', embeddedLanguageFormatting: 'off', trailingComma: 'none' };

async function pretty(text: string, parser: string, plugins: readonly Promise<Plugin>[]): Promise<string> {
  const [{ format }, ...loaded] = await Promise.all([import('prettier/standalone'), ...plugins]);
  try {
    return await format(text, { ...OPTIONS, parser, plugins: loaded });
  } catch (cause) {
    const { message, line } = reason(cause);
    throw new FormatError(message, line);
  }
}

/** Prettier’s message without its code frame. */
function reason(cause: unknown): { message: string; line: number | null } {
  const loc = typeof cause === 'object' && cause !== null && 'loc' in cause ? (cause.loc as { start?: { line?: unknown } } | null) : null;
  const line = typeof loc?.start?.line === 'number' ? loc.start.line : null;
  const text = cause instanceof Error ? cause.message : String(cause);
  return { message: (text.split('\n')[0] ?? text).replace(/\s*\(\d+:\d+\)$/, ''), line };
}

const json = (text: string): Promise<string> =>
  text.trim() === '' ? Promise.resolve(text) : pretty(text, 'json', [import('prettier/plugins/babel'), import('prettier/plugins/estree').then((plugin) => plugin as unknown as Plugin)]);

const FRONT = /^\uFEFF?---[ \t]*\n(?:[\s\S]*?\n)?---[ \t]*(?:\n|$)/;

/** The frontmatter isn’t formatted, since other agents and tools parse it differently. */
async function markdown(text: string): Promise<string> {
  const front = FRONT.exec(text)?.[0] ?? '';
  const body = text.slice(front.length);
  const lead = /^\n*/.exec(body)?.[0] ?? '';
  const rest = await pretty(body.slice(lead.length), 'markdown', [import('prettier/plugins/markdown')]);
  return front + (lead === '' || front === '' ? '' : '\n') + rest;
}

/** Null: there is no formatter for the language. */
export function formatterOf(path: string): { about: string; format: (text: string) => Promise<string> } | null {
  switch (/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase()) {
    case 'json':
      return { about: 'Formats JSON and keeps comments.', format: json };
    case 'yaml':
    case 'yml':
      return { about: 'Formats YAML and keeps comments.', format: (text) => pretty(text, 'yaml', [import('prettier/plugins/yaml')]) };
    case 'md':
    case 'markdown':
      return { about: 'Formats Markdown and aligns tables. Frontmatter, code and line breaks don’t change.', format: markdown };
    case 'py':
      return { about: 'Trims trailing whitespace and turns indentation tabs into four spaces. String contents don’t change.', format: (text) => tidied(text, 'python') };
    case 'sh':
    case 'bash':
    case 'zsh':
      return { about: 'Trims trailing whitespace outside here-documents.', format: (text) => tidied(text, 'shell') };
    case 'j2':
    case 'jinja':
    case 'jinja2':
      return { about: 'Trims trailing whitespace and final blank lines.', format: (text) => tidied(text, 'template') };
    default:
      return null;
  }
}
