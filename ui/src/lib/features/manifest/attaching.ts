import type { Client } from '$lib/api';
import { baseName, isRecord, matchText } from '$lib/domain';
import type { OutputOf, Reference } from '$lib/api/generated';
import type { ManifestForm } from './manifestForm.svelte';

type Target = Pick<Reference.ReferenceOffer, 'target_kind' | 'target_ref'>;

const MAX_FILES = 20;
const BINDINGS = ['bindings'];

/** Pages of the workspace, then files of the skill, each best first. */
export async function findTargets(client: Client, query: string, files: readonly string[]): Promise<OutputOf<'reference/search'>> {
  const pages = client.workspace === null ? [] : (await client.call('reference/search', { query })).offers.filter(({ form }) => form === 'page');
  const matches = files.flatMap((path) => {
    const match = matchText(query, path);
    return match ? [{ path, score: match.score }] : [];
  });
  const best = matches.sort((one, other) => other.score - one.score).slice(0, MAX_FILES);
  return { offers: [...pages, ...best.map(({ path }): Reference.ReferenceOffer => ({ target_kind: 'document', target_ref: path, form: 'file', title: baseName(path) }))], is_partial: false };
}

/** The pages and files that a manifest refers to. */
export function attached({ value }: ManifestForm): Target[] {
  const bindings = value(BINDINGS);
  return (Array.isArray(bindings) ? bindings : []).flatMap((one): Target[] => {
    if (!isRecord(one)) return [];
    const { targetKind: target_kind, targetRef: target_ref } = one;
    return (target_kind === 'entity' || target_kind === 'document') && typeof target_ref === 'string' ? [{ target_kind, target_ref }] : [];
  });
}

/** Adds a page or file as reference material. */
export function attach(form: ManifestForm, { target_kind, target_ref }: Target): void {
  form.append(BINDINGS, { targetKind: target_kind, targetRef: target_ref, relationshipType: 'references' });
}
