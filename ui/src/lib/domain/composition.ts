import { isRecord } from './record';

/** The paths of the files that a proposal of the Composer changes; none for another kind of proposal. */
export function proposedPaths(body: unknown): string[] {
  if (!isRecord(body) || !Array.isArray(body['files'])) return [];
  return body['files'].flatMap((file: unknown) => (isRecord(file) && typeof file['path'] === 'string' ? [file['path']] : []));
}
