import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'commands' | 'tabs'>;

interface Prefix {
  sign: string;
  words: string;
  /** Null: the quick open itself understands it. */
  command: string | null;
}

const PREFIXES: readonly Prefix[] = [
  { sign: '>', words: 'commands', command: 'go.commands' },
  { sign: '@', words: 'symbols', command: 'go.symbol' },
  { sign: '#', words: 'pages', command: 'go.page' },
  { sign: ':', words: 'line', command: null },
];

/** The signs that ask the quick open for something else, as far as that is there now. */
export function prefixesOf({ commands, tabs }: Needs): Prefix[] {
  return PREFIXES.filter(({ command }) => {
    if (command === null) return tabs.document !== null;
    const known = commands.get(command);
    return known !== undefined && (known.when?.() ?? true);
  });
}

/** What a query asks for by its first sign. */
export const commandOf = (services: Needs, query: string): string | null => prefixesOf(services).find(({ sign }) => query.startsWith(sign))?.command ?? null;
