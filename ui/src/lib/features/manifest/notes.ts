import { explanation } from '$lib/api';
import { type JsonPath, type TreeField } from '$lib/domain';
import type { Diagnostic } from '$lib/api/generated';
import type { FieldNote } from '$lib/ui';

const ROOT = '/metadata/manifest';

/** Identifies a place in the manifest. */
export const placeOf = (path: JsonPath): string => path.map(String).join('/');

/** The path of the field that shows what is said about a JSON pointer: the deepest one on the way. Null outside of the manifest. */
export function ownerOf(pointer: string, fields: readonly TreeField[]): JsonPath | null {
  if (pointer !== ROOT && !pointer.startsWith(`${ROOT}/`)) return null;
  const steps = pointer.slice(ROOT.length + 1).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path: (string | number)[] = [];
  let field: TreeField | undefined;
  for (const step of steps) {
    const here: readonly TreeField[] = field ? (field.kind === 'object' ? field.fields : []) : fields;
    if (field?.kind === 'list' && /^\d+$/.test(step)) {
      path.push(Number(step));
      field = field.item;
    } else {
      field = here.find(({ key }) => key === step);
      if (!field) break;
      path.push(step);
    }
  }
  return path;
}

/** The diagnostics of the manifest by the place of their field. Those without one are at the empty place. */
export function notesByPlace(diagnostics: readonly Diagnostic[], fields: readonly TreeField[]): ReadonlyMap<string, readonly FieldNote[]> {
  const notes = new Map<string, FieldNote[]>();
  for (const diagnostic of diagnostics) {
    const { pointer, severity } = diagnostic;
    const owner = pointer === null ? null : ownerOf(pointer, fields);
    if (owner === null || severity === 'hint') continue;
    const place = placeOf(owner);
    notes.set(place, [...(notes.get(place) ?? []), { severity, text: explanation(diagnostic) }]);
  }
  return notes;
}
