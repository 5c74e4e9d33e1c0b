const SENTENCES: Readonly<Record<string, string>> = {
  code: 'Runs Python scripts in the sandbox',
  'native-scripts': 'Contains scripts that run outside of the sandbox',
  llm: 'Asks a language model, which may cost money',
  network: 'Reaches other computers',
};

const CHIPS: Readonly<Record<string, string>> = { code: 'Scripts', 'native-scripts': 'Native scripts', llm: 'Model', network: 'Network' };

const TOOLS = 'tools:';
const INTEGRATIONS = 'integrations:';

/** The permission as a sentence without a period. */
export function permissionSentence(permission: string): string {
  if (permission.startsWith(TOOLS)) return `Uses the tool ${permission.slice(TOOLS.length)}`;
  if (permission.startsWith(INTEGRATIONS)) return `Uses the integration ${permission.slice(INTEGRATIONS.length)}`;
  return SENTENCES[permission] ?? `Needs the permission ${permission}`;
}

/** The permission in a word or two. */
export function permissionChip(permission: string): string {
  if (permission.startsWith(TOOLS)) return permission.slice(TOOLS.length);
  if (permission.startsWith(INTEGRATIONS)) return permission.slice(INTEGRATIONS.length);
  return CHIPS[permission] ?? permission;
}

/** Permissions that reach beyond the sandbox. */
export const isRisky = (permission: string): boolean => permission === 'native-scripts' || permission === 'network';
