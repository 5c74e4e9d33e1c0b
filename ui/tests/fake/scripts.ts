import type { OutputOf } from '$lib/api/generated';

/** What scripts may call: a few of each kind. */
export const SCRIPT_FUNCTIONS: OutputOf<'script/functions'>['functions'] = [
  { name: 'search', kind: 'function', signature: 'search(query, limit=20)', returns: 'list of {slug, title}', doc: 'Finds pages of the workspace by their words, best first.' },
  { name: 'skills.list', kind: 'function', signature: 'skills.list()', returns: 'list of {slug, name}', doc: 'Lists the skills.' },
  { name: 'Page', kind: 'class', signature: 'Page', returns: '', doc: 'A page of the workspace.' },
];
