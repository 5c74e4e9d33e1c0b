import type { Services } from '$lib/workbench/services';

/** Where the account keeps the keys of a registry. */
export const keysFolder = ({ status }: Services['workspace'], registry: string | undefined): string => `${status?.home ?? '~/.inklings'}/registry-keys/${registry === undefined || registry === '' ? 'ID' : registry}`;
