import type { Services } from '$lib/workbench/services';

type Needs = Pick<Services, 'commands' | 'tabs'>;

interface Prefix {
  sign: string;
  label: string;
  /** Null: handled by quick open itself. */
  command: string | null;
}

const PREFIXES: readonly Prefix[] = [
  { sign: '>', label: 'commands', command: 'go.commands' },
  { sign: '@', label: 'symbols', command: 'go.symbol' },
  { sign: '#', label: 'pages', command: 'go.page' },
  { sign: ':', label: 'line', command: null },
];

/** The prefixes whose palettes are available now. */
export function prefixesOf({ commands, tabs }: Needs): Prefix[] {
  return PREFIXES.filter(({ command }) => {
    if (command === null) return tabs.document !== null;
    const known = commands.get(command);
    return known !== undefined && (known.when?.() ?? true);
  });
}

/** The command that opens the palette of the query’s prefix; null without a prefix. */
export const commandOf = (services: Needs, query: string): string | null => prefixesOf(services).find(({ sign }) => query.startsWith(sign))?.command ?? null;
