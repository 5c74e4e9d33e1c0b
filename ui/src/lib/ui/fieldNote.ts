import type { Diagnostic } from '$lib/api/generated';

/** What the validator says about a value, beside its field. */
export interface FieldNote {
  severity: Diagnostic['severity'];
  text: string;
}
